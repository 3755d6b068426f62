package io.heatshield.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class TraceTest {

  @ParameterizedTest
  @EnumSource(Compression.class)
  void next_packedTwiceOver_isEveryLine(Compression compression) throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.write(pack(compression, "a\nb\r\n\n"));
    bytes.write(pack(compression, "c"));

    Read read = read(bytes.toByteArray(), TraceOptions.defaults());

    assertThat(read.keys()).containsExactly("a", "b", "c");
    assertThat(read.stats().blank()).isEqualTo(1);
    assertThat(read.stats().fault()).isNull();
    assertThat(read.compression()).isEqualTo(compression);
  }

  @ParameterizedTest
  @EnumSource(value = Compression.class, mode = EnumSource.Mode.EXCLUDE, names = "PLAIN")
  void next_cutAtAnyByte_endsThereWithAFault(Compression compression) throws IOException {
    byte[] whole = pack(compression, "key:1\nkey:2\n".repeat(50));

    for (int length = 8; length < whole.length; length++) {
      Read read = read(Arrays.copyOf(whole, length), TraceOptions.defaults());

      assertThat(read.stats().touches()).isLessThanOrEqualTo(100);
      assertThat(read.stats().fault()).as("cut at " + length).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void next_anyByteFlipped_neverThrows(Compression compression) throws IOException {
    byte[] whole = pack(compression, "key:1\nkey:2\n".repeat(50));

    for (int i = 0; i < whole.length; i++) {
      byte[] broken = whole.clone();
      broken[i] ^= (byte) 0x55;
      Read read = read(broken, TraceOptions.defaults());

      assertThat(read.stats().lines()).isNotNegative();
    }
  }

  @ParameterizedTest
  @EnumSource(TraceFormat.class)
  void next_randomBytesInAnyFormat_neverThrows(TraceFormat format) throws IOException {
    var random = new Random(format.name().length());
    byte[] parts =
        "\"\\{}[]:,;\n\n\n .x0u1eGET/ \"key\":\"time\":1".getBytes(StandardCharsets.UTF_8);

    for (int run = 0; run < 200; run++) {
      byte[] bytes = new byte[500];
      random.nextBytes(bytes);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = random.nextInt(8) == 0 ? bytes[i] : parts[random.nextInt(parts.length)];
      }
      Read read = read(bytes, TraceOptions.defaults().withFormat(format).withFields("2", null));
      TraceStats stats = read.stats();

      long counted = stats.touches() + stats.bad() + stats.withoutKey() + stats.blank();
      assertThat(stats.lines() - counted).as("but for a header").isBetween(0L, 1L);
    }
  }

  @Test
  void next_lineOfTenMegabytes_isSkippedAndCounted() throws IOException {
    String text = "a\n" + "x".repeat(10_000_000) + "\nb\n";

    Read read = read(text.getBytes(StandardCharsets.UTF_8), TraceOptions.defaults());

    assertThat(read.keys()).containsExactly("a", "b");
    assertThat(read.stats().tooLong()).isEqualTo(1);
  }

  @Test
  void next_emptyTrace_isNoTouch() throws IOException {
    Read read = read(new byte[0], TraceOptions.defaults());

    assertThat(read.keys()).isEmpty();
    assertThat(read.stats().lines()).isZero();
  }

  @Test
  void open_linesOfEveryFormat_areGuessed() throws IOException {
    assertThat(format("user:1\nuser:2\n")).isEqualTo(TraceFormat.KEYS);
    assertThat(format("a,b\nc,d\n")).isEqualTo(TraceFormat.KEYS);
    assertThat(format("time;key\n1;a\n2;b\n")).isEqualTo(TraceFormat.CSV);
    assertThat(format("1600000000,a,4\n1600000001,b,5\n")).isEqualTo(TraceFormat.CSV);
    assertThat(format("{\"ts\":1,\"key\":\"a\"}\n")).isEqualTo(TraceFormat.JSON);
    assertThat(format("OK\n1.5 [0 x] \"get\" \"a\"\n")).isEqualTo(TraceFormat.MONITOR);
    assertThat(format("h - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 1\n"))
        .isEqualTo(TraceFormat.ACCESS);
  }

  @Test
  void next_csvWithHeader_takesColumnsByNameOrNumber() throws IOException {
    byte[] csv =
        "op\twhen\tobject\nget\t1600000000\ta\nget\t1600000002\tb\n"
            .getBytes(StandardCharsets.UTF_8);

    Read guessed = read(csv, TraceOptions.defaults());
    Read named = read(csv, TraceOptions.defaults().withFields("OP", "when"));
    Read numbered = read(csv, TraceOptions.defaults().withFields("3", "2"));

    assertThat(guessed.keys()).containsExactly("a", "b");
    assertThat(named.keys()).containsExactly("get", "get");
    assertThat(named.nanos()).isEqualTo(2_000_000_000L);
    assertThat(numbered.keys()).contains("a", "b");
    assertThatThrownBy(() -> read(csv, TraceOptions.defaults().withFields("nowhere", null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--key must name a column");
  }

  @Test
  void next_traceWithoutTimes_runsAtTheRate() throws IOException {
    byte[] keys = "a\nb\nc\n".getBytes(StandardCharsets.UTF_8);

    Read read = read(keys, TraceOptions.defaults().withRate(4));

    assertThat(read.nanos()).isEqualTo(500_000_000L);
  }

  @Test
  void open_missingFileOrFolder_fails(@TempDir Path folder) {
    assertThatThrownBy(() -> Trace.open(folder, TraceOptions.defaults()))
        .isInstanceOf(IOException.class)
        .hasMessage("is a folder, not a file");
    assertThatThrownBy(() -> Trace.open(folder.resolve("none"), TraceOptions.defaults()))
        .isInstanceOf(IOException.class);
  }

  private static TraceFormat format(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (Trace trace = Trace.open(new ByteArrayInputStream(bytes), 0, TraceOptions.defaults())) {
      return trace.facts().format();
    }
  }

  private static Read read(byte[] bytes, TraceOptions options) throws IOException {
    try (Trace trace = Trace.open(new ByteArrayInputStream(bytes), bytes.length, options)) {
      var keys = new ArrayList<String>();
      long nanos = 0;
      while (trace.next()) {
        int length = trace.to() - trace.from();
        keys.add(new String(trace.bytes(), trace.from(), length, StandardCharsets.UTF_8));
        assertThat(trace.nanos()).isGreaterThanOrEqualTo(nanos);
        nanos = trace.nanos();
      }
      return new Read(keys, nanos, trace.stats(), trace.facts().compression());
    }
  }

  private static byte[] pack(Compression compression, String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out = packer(compression, bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static OutputStream packer(Compression compression, OutputStream to) throws IOException {
    return switch (compression) {
      case PLAIN -> to;
      case GZIP -> new GZIPOutputStream(to);
      case XZ -> new XZOutputStream(to, new LZMA2Options(1));
      case ZSTD -> new io.airlift.compress.zstd.ZstdOutputStream(to);
    };
  }

  private record Read(List<String> keys, long nanos, TraceStats stats, Compression compression) {}
}
