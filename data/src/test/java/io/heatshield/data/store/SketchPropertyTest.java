package io.heatshield.data.store;

import io.heatshield.data.DataPortFixture;
import io.heatshield.redisbloom.StructureKind;
import io.heatshield.rocksdb.RocksEngine;
import io.heatshield.rocksdb.RocksOptions;
import io.heatshield.store.engine.Engine;
import io.heatshield.store.engine.StructureEngine;
import io.heatshield.store.memory.MemoryEngine;
import io.heatshield.testkit.client.RawResp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import org.jspecify.annotations.Nullable;

/** Random runs of CF, CMS, TOPK and key commands through the data port, against exact counts. */
class SketchPropertyTest {
  private final Path folder = temporary();
  private @Nullable DataPortFixture port;
  private @Nullable RawResp client;

  @Provide
  Arbitrary<List<SketchModel.Step>> runs() {
    return Combinators.combine(
            Arbitraries.of(SketchModel.Op.class),
            Arbitraries.integers().between(0, SketchModel.KEYS - 1),
            Arbitraries.integers().between(0, SketchModel.ITEMS - 1),
            Arbitraries.integers().between(0, 1000))
        .as(SketchModel.Step::new)
        .list()
        .ofMaxSize(200);
  }

  @AfterProperty
  void close() {
    if (client != null && port != null) {
      client.close();
      port.close();
    }
  }

  @Property(tries = 40)
  void sketches_inMemory_answerAsTheModel(
      @ForAll("runs") List<SketchModel.Step> run,
      @ForAll @IntRange(min = 2, max = 3) int protocol) {
    if (port == null) {
      open(() -> new MemoryEngine(64 << 20));
    }

    check(run, protocol, () -> {});
  }

  @Property(tries = 10)
  void sketches_onDisk_answerAsTheModelAfterEveryRestart(
      @ForAll("runs") List<SketchModel.Step> run,
      @ForAll @IntRange(min = 2, max = 3) int protocol) {
    if (port == null) {
      open(this::rocks);
    }

    check(
        run,
        protocol,
        () -> {
          close();
          open(this::rocks);
          call("hello " + protocol);
        });
  }

  private void check(List<SketchModel.Step> run, int protocol, Runnable restart) {
    var model = new SketchModel(this::call);
    call("hello " + protocol);
    call("flushall");
    for (SketchModel.Step step : run) {
      if (step.op() == SketchModel.Op.RESTART) {
        restart.run();
      }
      model.run(step);
    }
    restart.run();
    model.checkAll();
  }

  private void open(Supplier<Engine> engine) {
    port = DataPortFixture.open(DataPortFixture.ADMINS, limits -> limits, engine.get(), null);
    client = port.client();
  }

  private Engine rocks() {
    return new StructureEngine(
        RocksEngine.open(RocksOptions.in(folder.resolve("disk"))),
        (tag, form) -> StructureKind.read(tag, form, 1 << 26),
        1 << 20);
  }

  /** Sends words and returns the lines of the reply as RESP2 has them. */
  private String call(String command) {
    if (client == null) {
      throw new IllegalStateException("no connection");
    }
    String lines = client.call(command.split(" ", -1)).trim().replace("\r\n", " ");
    return lines.replace("#t", ":1").replace("#f", ":0").replace(" _", " $-1");
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory(Path.of("target"), "sketches");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
