package io.heatshield.replay.trace;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** How a trace is packed, told by its first bytes. */
public enum Packing {
  /** Not at all. */
  PLAIN("") {
    @Override
    InputStream unpack(InputStream packed) {
      return packed;
    }
  },
  /** By gzip, also of several members. */
  GZIP("\u001f\u008b") {
    @Override
    InputStream unpack(InputStream packed) throws IOException {
      return new GZIPInputStream(packed, 1 << 16);
    }
  },
  /** By xz, with a dictionary of at most about 128 MiB. */
  XZ("\u00fd7zXZ\u0000") {
    @Override
    InputStream unpack(InputStream packed) throws IOException {
      return new XZInputStream(packed, XZ_MEMORY_KIB);
    }
  },
  /** By zstd, with a window of at most 8 MiB, as all levels up to 19 have it. */
  ZSTD("(\u00b5/\u00fd") {
    @Override
    InputStream unpack(InputStream packed) {
      return new ZstdInputStream(packed);
    }
  };

  /** The most bytes that tell a packing. */
  static final int MAGIC_BYTES = 6;

  private static final int XZ_MEMORY_KIB = 160 * 1024;

  private final String magic;

  Packing(String magic) {
    this.magic = magic;
  }

  /** Returns the packing of what begins with these bytes. */
  static Packing of(byte[] head) {
    for (Packing packing : values()) {
      if (packing != PLAIN && packing.begins(head)) {
        return packing;
      }
    }
    return PLAIN;
  }

  abstract InputStream unpack(InputStream packed) throws IOException;

  private boolean begins(byte[] head) {
    if (head.length < magic.length()) {
      return false;
    }
    for (int i = 0; i < magic.length(); i++) {
      if ((head[i] & 0xff) != magic.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
