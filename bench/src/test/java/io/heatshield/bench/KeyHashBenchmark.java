package io.heatshield.bench;

import com.clearspring.analytics.hash.MurmurHash;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The hash of one key, in each form. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyHashBenchmark {
  @Param({"24", "100"})
  int length;

  private final KeyHash fast = KeyHash.fast(HashSecret.of(new byte[32]));
  private final KeyHash sip = KeyHash.sip13(HashSecret.of(new byte[32]));
  private byte[] bytes = {};
  private ByteBuffer direct = ByteBuffer.allocateDirect(0);
  private String ascii = "";
  private String accented = "";

  /** Makes one key in every form. */
  @Setup
  public void make() {
    ascii = "k".repeat(length);
    accented = "k".repeat(length - 2) + "\u00e9";
    bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'k');
    direct = ByteBuffer.allocateDirect(length).put(bytes).flip();
  }

  @Benchmark
  public long fastBytes() {
    return fast.hash(bytes);
  }

  @Benchmark
  public long fastDirectBuffer() {
    return fast.hash(direct);
  }

  @Benchmark
  public long fastAscii() {
    return fast.hash(ascii);
  }

  @Benchmark
  public long fastAccented() {
    return fast.hash(accented);
  }

  @Benchmark
  public long sip13Bytes() {
    return sip.hash(bytes);
  }

  @Benchmark
  public long sip13Ascii() {
    return sip.hash(ascii);
  }

  /** The hash of stream-lib's sketches: seeded at best, not keyed. */
  @Benchmark
  public long rivalMurmur64Bytes() {
    return MurmurHash.hash64(bytes, bytes.length);
  }

  /** The cheapest hash: not keyed, 32 bits, easy to construct collisions for. */
  @Benchmark
  public int rivalJdkBytes() {
    return Arrays.hashCode(bytes);
  }
}
