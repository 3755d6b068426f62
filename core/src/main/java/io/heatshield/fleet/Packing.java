package io.heatshield.fleet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Bytes that are being written: a head, numbers of seven bits a byte, texts, and a checksum. */
final class Packing {
  /*
   * head      "HSFL", the version, the kind, the fingerprint of the hash (8 bytes, little-endian)
   * number    seven bits a byte, lowest first; the highest bit says that another byte follows
   * bytes     their number, then they
   * tail      CRC-32C of all before it (4 bytes, little-endian)
   *
   * Magic, version and fingerprint stay where they are in every version, so that any version can be
   * refused by name.
   */
  static final byte[] MAGIC = {'H', 'S', 'F', 'L'};
  static final int VERSION = 1;
  static final byte NODE = 1;
  static final byte VIEW = 2;

  private byte[] bytes = new byte[4096];
  private int size;

  Packing(byte kind, long fingerprint) {
    for (byte letter : MAGIC) {
      octet(letter);
    }
    octet(VERSION);
    octet(kind);
    word(fingerprint);
  }

  /** Puts a number that is not negative. */
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

  /** Puts any number in eight bytes. */
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

  /** Takes back what was put since the bytes were so many. */
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
