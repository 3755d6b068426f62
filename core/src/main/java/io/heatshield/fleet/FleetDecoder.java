package io.heatshield.fleet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Decodes untrusted data that {@link FleetEncoder} wrote. Header and checksum are checked first,
 * every number against its maximum, and nothing is allocated for a number before that.
 */
final class FleetDecoder {
  private static final int HEAD = 14;
  private static final int TAIL = Integer.BYTES;

  private final ByteBuffer in;

  private FleetDecoder(ByteBuffer in) {
    this.in = in;
  }

  /**
   * Returns a decoder of the content, after checking header and checksum.
   *
   * @throws InvalidFleetDataException if they are wrong
   */
  static FleetDecoder open(byte[] bytes, byte kind, long fingerprint, int most) {
    if (bytes.length > most) {
      throw damaged("has " + bytes.length + " bytes, more than " + most);
    }
    int magic = FleetEncoder.MAGIC.length;
    if (bytes.length <= magic || !Arrays.equals(bytes, 0, magic, FleetEncoder.MAGIC, 0, magic)) {
      throw damaged("does not start with its magic bytes");
    }
    if (bytes[magic] != FleetEncoder.VERSION) {
      throw new InvalidFleetDataException(
          "its format is of version "
              + (bytes[magic] & 0xff)
              + ", this process reads version "
              + FleetEncoder.VERSION);
    }
    if (bytes.length < HEAD + TAIL) {
      throw damaged("ends too early");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int end = bytes.length - TAIL;
    var crc = new CRC32C();
    crc.update(bytes, 0, end);
    if ((int) crc.getValue() != in.getInt(end)) {
      throw damaged("was changed: its checksum does not match");
    }
    if (bytes[magic + 1] != kind) {
      throw damaged("is of another kind");
    }
    if (in.getLong(magic + 2) != fingerprint) {
      throw new InvalidFleetDataException("its keys are hashed with another secret");
    }
    return new FleetDecoder(in.limit(end).position(HEAD));
  }

  /** Reads a number from 0 to {@code most}. */
  long number(long most) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
      requireRemaining(1);
      byte next = in.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        if (value > most) {
          throw damaged("has the number " + value + ", which must be at most " + most);
        }
        return value;
      }
    }
    throw damaged("has a number of more than 63 bits");
  }

  /** Reads the number of following elements, each of at least one byte. */
  int count(int most) {
    long count = number(most);
    requireRemaining(count);
    return (int) count;
  }

  long word() {
    requireRemaining(Long.BYTES);
    return in.getLong();
  }

  byte[] bytes(int most) {
    byte[] bytes = new byte[count(most)];
    in.get(bytes);
    return bytes;
  }

  String text(int most) {
    return new String(bytes(most), StandardCharsets.UTF_8);
  }

  /** Checks that everything was read. */
  void end() {
    if (in.hasRemaining()) {
      throw damaged("continues after its end");
    }
  }

  static InvalidFleetDataException damaged(String how) {
    return new InvalidFleetDataException("it is damaged: it " + how);
  }

  private void requireRemaining(long bytes) {
    if (in.remaining() < bytes) {
      throw damaged("ends too early");
    }
  }
}
