package io.heatshield.fleet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Encodes snapshots and views: a header, variable-length numbers, texts, and a checksum. */
final class FleetEncoder {
  /*
   * header    "HSFL", the version, the kind, the fingerprint of the hash (8 bytes, little-endian)
   * number    seven bits per byte, lowest first; the highest bit is set if another byte follows
   * bytes     their number, then the bytes
   * trailer   CRC-32C of all preceding bytes (4 bytes, little-endian)
   *
   * Magic, version and fingerprint have the same position in every version, so that an error
   * message can name the version.
   */
  static final byte[] MAGIC = {'H', 'S', 'F', 'L'};
  static final int VERSION = 1;
  static final byte NODE = 1;
  static final byte VIEW = 2;

  private byte[] bytes = new byte[4096];
  private int size;

  FleetEncoder(byte kind, long fingerprint) {
    for (byte letter : MAGIC) {
      octet(letter);
    }
    octet(VERSION);
    octet(kind);
    word(fingerprint);
  }

  /** Writes a number that is not negative. */
  void number(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("value must not be negative: " + value);
    }
    long rest = value;
    while (rest >= 1 << 7) {
      octet((int) rest | 1 << 7);
      rest >>>= 7;
    }
    octet((int) rest);
  }

  /** Writes any number in eight bytes. */
  void word(long value) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      octet((int) (value >>> shift));
    }
  }

  void bytes(byte[] content) {
    number(content.length);
    room(content.length);
    System.arraycopy(content, 0, bytes, size, content.length);
    size += content.length;
  }

  void text(String text) {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  int size() {
    return size;
  }

  /** Removes everything after the given length. */
  void truncate(int length) {
    size = length;
  }

  byte[] sealed() {
    var crc = new CRC32C();
    crc.update(bytes, 0, size);
    long sum = crc.getValue();
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      octet((int) (sum >>> shift));
    }
    return Arrays.copyOf(bytes, size);
  }

  private void octet(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
