package io.heatshield.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.probabilistic.IncrementPair;
import io.lettuce.core.protocol.ProtocolVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.bloom.CFInsertParams;
import redis.clients.jedis.bloom.CFReserveParams;
import redis.clients.jedis.exceptions.JedisDataException;

/** The sketch commands of unmodified Jedis and Lettuce, in both protocols. */
class SketchClientsIT {
  private final DataPortFixture port = DataPortFixture.open();

  @AfterEach
  void close() {
    port.close();
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void cuckoo_byJedis_works(RedisProtocol protocol) {
    try (UnifiedJedis jedis = connect(protocol)) {
      jedis.cfReserve("r", 200, CFReserveParams.reserveParams().bucketSize(10).expansion(4));
      assertThat(jedis.cfInfo("r"))
          .containsEntry("Number of buckets", 32L)
          .containsEntry("Size", 376L)
          .containsEntry("Expansion rate", 4L)
          .containsEntry("Bucket size", 10L);
      assertThat(jedis.cfAdd("f", "a")).isTrue();
      assertThat(jedis.cfAddNx("f", "a")).isFalse();
      assertThat(jedis.cfInsert("f", "b", "c")).containsExactly(true, true);
      assertThat(jedis.cfInsertNx("f", CFInsertParams.insertParams().capacity(1000), "c", "d"))
          .containsExactly(false, true);
      assertThat(jedis.cfMExists("f", "a", "zz")).containsExactly(true, false);
      assertThat(jedis.cfCount("f", "b")).isEqualTo(1);
      assertThat(jedis.cfDel("f", "b")).isTrue();
      assertThatThrownBy(() -> jedis.cfDel("none", "b")).hasMessageContaining("Not found");
      assertThatThrownBy(
              () -> jedis.cfInsert("none", CFInsertParams.insertParams().noCreate(), "a"))
          .isInstanceOf(JedisDataException.class)
          .hasMessage("ERR not found");

      long position = 0;
      while (true) {
        Map.Entry<Long, byte[]> piece = jedis.cfScanDump("f", position);
        position = piece.getKey();
        if (position == 0) {
          break;
        }
        assertThat(jedis.cfLoadChunk("copy", position, piece.getValue())).isEqualTo("OK");
      }
      assertThat(jedis.cfInfo("copy")).isEqualTo(jedis.cfInfo("f"));
      assertThat(jedis.cfMExists("copy", "a", "b", "c", "d"))
          .containsExactly(true, false, true, true);
    }
  }

  @ParameterizedTest
  @EnumSource(RedisProtocol.class)
  void countMinAndTop_byJedis_work(RedisProtocol protocol) {
    try (UnifiedJedis jedis = connect(protocol)) {
      jedis.cmsInitByProb("p", 0.01, 0.01);
      assertThat(jedis.cmsInfo("p")).containsEntry("width", 200L).containsEntry("depth", 7L);
      jedis.cmsInitByDim("a", 1000, 5);
      jedis.cmsInitByDim("b", 1000, 5);
      var counts = new LinkedHashMap<String, Long>();
      counts.put("foo", 5L);
      counts.put("bar", 15L);
      assertThat(jedis.cmsIncrBy("a", counts)).containsExactly(5L, 15L);
      assertThat(jedis.cmsMerge("b", Map.of("a", 2L))).isEqualTo("OK");
      assertThat(jedis.cmsQuery("b", "foo", "bar")).containsExactly(10L, 30L);

      jedis.topkReserve("t", 30, 2000, 7, 0.925);
      assertThat(jedis.topkAdd("t", "bb", "cc")).containsExactly(null, null);
      assertThat(jedis.topkQuery("t", "bb", "gg", "cc")).containsExactly(true, false, true);
      assertThat(jedis.topkList("t")).containsExactly("bb", "cc");
      assertThat(jedis.topkIncrBy("t", "ff", 5)).isNull();
      assertThat(jedis.topkList("t")).containsExactly("ff", "bb", "cc");
      assertThat(jedis.topkIncrBy("t", Map.of("ff", 8L))).hasSize(1).containsOnlyNulls();
      assertThat(jedis.topkListWithCount("t")).containsEntry("ff", 13L);
      assertThat(jedis.topkInfo("t")).containsEntry("k", 30L).containsKey("decay");
    }
  }

  @ParameterizedTest
  @EnumSource(ProtocolVersion.class)
  void sketches_byLettuce_work(ProtocolVersion version) {
    RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port.port()));
    client.setOptions(ClientOptions.builder().protocolVersion(version).build());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      RedisCommands<String, String> redis = connection.sync();

      assertThat(redis.cfAdd("f", "a")).isTrue();
      assertThat(redis.cfAddNx("f", "a")).isFalse();
      assertThat(redis.cfExists("f", "a")).isTrue();
      assertThat(redis.cfMExists("f", "a", "zz")).containsExactly(true, false);
      assertThat(redis.cfCount("f", "a")).isEqualTo(1);
      assertThat(redis.cfDel("f", "a")).isTrue();
      assertThat(redis.cmsInitByDim("c", 1000, 5)).isEqualTo("OK");
      assertThat(redis.cmsIncrBy("c", IncrementPair.of("foo", 5))).containsExactly(5L);
      assertThat(redis.cmsQuery("c", "foo", "bar")).containsExactly(5L, 0L);
      assertThat(redis.topKReserve("t", 3)).isEqualTo("OK");
      assertThat(redis.topKAdd("t", "x", "y")).hasSize(2).containsOnlyNulls();
      assertThat(redis.topKList("t")).containsExactly("x", "y");
      assertThat(redis.topKQuery("t", "x", "z")).containsExactly(true, false);
    } finally {
      client.shutdown();
    }
  }

  private UnifiedJedis connect(RedisProtocol protocol) {
    var config = DefaultJedisClientConfig.builder().protocol(protocol).build();
    return new OneConnection(new Connection(new HostAndPort("127.0.0.1", port.port()), config));
  }

  /** Jedis's commands over one connection, without a pool. */
  private static final class OneConnection extends UnifiedJedis {
    @SuppressWarnings("deprecation") // Its others need a pool.
    OneConnection(Connection connection) {
      super(connection);
    }
  }
}
