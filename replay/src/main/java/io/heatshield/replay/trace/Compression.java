package io.heatshield.replay.trace;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** The compression of a trace, detected from its first bytes. */
public enum Compression {
  /** Not compressed. */
  PLAIN(""),
  /** gzip, also with several members. */
  GZIP("\u001f\u008b"),
  /** xz, with a dictionary of at most about 128 MiB. */
  XZ("\u00fd7zXZ\u0000"),
  /** zstd, with a window of at most 8 MiB, which covers levels up to 19. */
  ZSTD("(\u00b5/\u00fd");

  /** The number of bytes that {@link #of} needs. */
  static final int MAGIC_BYTES = 6;

  private static final int XZ_MEMORY_KIB = 160 * 1024;

  private final String magic;

  Compression(String magic) {
    this.magic = magic;
  }

  /** Returns the compression of a file that starts with these bytes. */
  static Compression of(byte[] head) {
    String start = new String(head, StandardCharsets.ISO_8859_1);
    return Stream.of(GZIP, XZ, ZSTD)
        .filter(compression -> start.startsWith(compression.magic))
        .findFirst()
        .orElse(PLAIN);
  }

  InputStream decompress(InputStream in) throws IOException {
    return switch (this) {
      case PLAIN -> in;
      case GZIP -> new GZIPInputStream(in, 1 << 16);
      case XZ -> new XZInputStream(in, XZ_MEMORY_KIB);
      case ZSTD -> new ZstdInputStream(in);
    };
  }
}
