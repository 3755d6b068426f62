package io.heatshield.data.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.heatshield.data.DataPortFixture;
import io.heatshield.redis.Redis;
import io.heatshield.redis.RedisUrl;
import io.heatshield.redisbloom.Structure;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StructureEngine;
import io.heatshield.store.redis.RedisEngine;
import io.heatshield.testkit.client.RawResp;
import io.heatshield.testkit.redis.RedisFixture;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sketches in persistent stores, through the data port. */
class SketchStoresIT {
  @SuppressWarnings("NullAway.Init") // Set before each test.
  @TempDir
  Path folder;

  @Test
  void rocksdb_closedAndOpened_hasItsSketches() {
    fill(rocks(1 << 20));
    checkAndChange(rocks(1 << 20));
    checkChanged(rocks(1 << 20));
  }

  @Test
  void rocksdb_withoutMemoryForSketches_losesNothing() {
    fill(rocks(0));
    checkAndChange(rocks(0));
    checkChanged(rocks(0));
  }

  @Test
  void rocksdb_thatCrashes_losesOnlyChangesSinceTheLastSave() {
    var crashed = new StructureEngine(RocksEngine.open(options()), SketchStoresIT::read, 1 << 20);
    try (DataPortFixture port = open(crashed);
        RawResp client = port.client()) {
      client.call("cms.initbydim", "c", "100", "4");
      client.call("cms.incrby", "c", "a", "5");
      crashed.unsaved(10).forEach(crashed::save);
      assertThat(crashed.unsaved(10)).isEmpty();
      client.call("cms.incrby", "c", "a", "1");
      assertThat(crashed.unsaved(10)).hasSize(1);

      byte[] key = {'c'};
      var onDisk = crashed.get(key).toCompletableFuture().join();
      assertThat(onDisk).isNotNull();
      assertThat(client.call("cms.query", "c", "a")).isEqualTo("*1\r\n:6\r\n");
      assertThat(client.call("del", "c")).isEqualTo(":1\r\n");
      crashed.unsaved(10).forEach(crashed::save);
      assertThat(client.call("exists", "c")).isEqualTo(":0\r\n");
    }
  }

  @Test
  void redis_sharedByTwoServers_hasEverySketchOnce() {
    try (RedisFixture redis = RedisFixture.start()) {
      fill(redis(redis));
      assertThat(redis.command("TYPE", "c")).isEqualTo("string");
      checkAndChange(redis(redis));
      try (DataPortFixture one = open(redis(redis));
          DataPortFixture two = open(redis(redis));
          RawResp first = one.client();
          RawResp second = two.client()) {
        first.call("cms.incrby", "c", "both", "1");
        second.call("cms.incrby", "c", "both", "1");
        assertThat(first.call("cms.query", "c", "both")).isEqualTo("*1\r\n:2\r\n");
      }
      checkChanged(redis(redis));
    }
  }

  @Test
  void redis_withAStringThatLooksLikeASketch_keepsItAString() {
    try (RedisFixture redis = RedisFixture.start();
        DataPortFixture port = open(redis(redis));
        RawResp client = port.client()) {
      String forged = "\0HStype\0" + (char) StructureKind.COUNT_MIN.tag() + "content";

      client.call("set", "k", forged);

      assertThat(client.call("type", "k")).isEqualTo("+string\r\n");
      assertThat(client.call("get", "k")).isEqualTo("$16\r\n" + forged + "\r\n");
      assertThat(client.call("cms.query", "k", "a")).startsWith("-WRONGTYPE ");
    }
  }

  private static void fill(Engine engine) {
    try (DataPortFixture port = open(engine);
        RawResp client = port.client()) {
      client.call("cf.insert", "f", "items", "a", "b", "c");
      client.call("cf.del", "f", "b");
      client.call("cms.initbydim", "c", "100", "4");
      client.call("cms.incrby", "c", "a", "5", "b", "7");
      client.call("topk.reserve", "old", "2");
      client.call("topk.add", "old", "x", "y", "x");
      client.call("rename", "old", "t");
      client.call("expire", "t", "1000");
    }
  }

  private static void checkAndChange(Engine engine) {
    try (DataPortFixture port = open(engine);
        RawResp client = port.client()) {
      assertThat(client.call("dbsize")).isEqualTo(":3\r\n");
      assertThat(client.call("type", "f")).isEqualTo("+MBbloomCF\r\n");
      assertThat(client.call("get", "f")).startsWith("-WRONGTYPE ");
      assertThat(client.call("scan", "0", "type", "CMSk-TYPE", "count", "100"))
          .endsWith("*1\r\n$1\r\nc\r\n");
      assertThat(client.call("cf.mexists", "f", "a", "b", "c"))
          .isEqualTo("*3\r\n:1\r\n:0\r\n:1\r\n");
      assertThat(client.call("cms.query", "c", "a", "b")).isEqualTo("*2\r\n:5\r\n:7\r\n");
      assertThat(client.call("topk.list", "t", "withcount"))
          .isEqualTo("*4\r\n$1\r\nx\r\n:2\r\n$1\r\ny\r\n:1\r\n");
      assertThat(client.call("ttl", "t")).isIn(":1000\r\n", ":999\r\n", ":998\r\n", ":997\r\n");
      for (int i = 0; i < 50; i++) {
        client.call("cms.incrby", "c", "a", "1");
        client.call("cf.add", "f", "item" + i);
      }
    }
  }

  private static void checkChanged(Engine engine) {
    try (DataPortFixture port = open(engine);
        RawResp client = port.client()) {
      assertThat(client.call("cms.query", "c", "a")).isEqualTo("*1\r\n:55\r\n");
      assertThat(client.call("cf.mexists", "f", "item0", "item49", "none"))
          .isEqualTo("*3\r\n:1\r\n:1\r\n:0\r\n");
      assertThat(client.call("flushall")).isEqualTo("+OK\r\n");
      assertThat(client.call("type", "f")).isEqualTo("+none\r\n");
      assertThat(client.call("cf.exists", "f", "a")).isEqualTo(":0\r\n");
    }
  }

  private static @Nullable Structure read(byte tag, byte[] form) {
    return StructureKind.read(tag, form, 1 << 26);
  }

  private RocksOptions options() {
    return RocksOptions.in(folder.resolve("disk"));
  }

  private Engine rocks(long bytes) {
    return new StructureEngine(RocksEngine.open(options()), SketchStoresIT::read, bytes);
  }

  private static Engine redis(RedisFixture redis) {
    Redis client =
        Redis.builder(RedisUrl.parse(redis.uri().toString())).budget(Duration.ofSeconds(5)).open();
    return new StructureEngine(new RedisEngine(client, false, ""), SketchStoresIT::read, 0);
  }

  private static DataPortFixture open(Engine engine) {
    return DataPortFixture.open(DataPortFixture.ADMINS, limits -> limits, engine, null);
  }
}
