package io.heatshield.replay.trace;

import io.heatshield.replay.trace.LineParser.Outcome;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The touches of a recorded trace, one after the other.
 *
 * <p>Packing and format are found out from the first bytes and lines. Nothing that a trace holds
 * makes it fail: what cannot be read is counted in {@link #stats}, and a trace that is cut off or
 * damaged ends there. Memory is fixed.
 *
 * <p>Not for use by several threads, but for {@link #packedBytes}.
 */
public final class Trace implements Closeable {
  private static final int HEAD = 1 << 16;
  private static final int SAMPLE = 200;
  private static final long SECOND = 1_000_000_000L;

  private final Unpacked source;
  private final InputStream in;
  private final long size;
  private final Layout layout;
  private final @Nullable String doubt;
  private final Lines lines;
  private final LineParser parser;
  private final Touch touch = new Touch();
  private final TraceClock clock = new TraceClock();
  private final boolean timed;
  private final double step;
  private final long maxLines;
  private boolean header;
  private long nanos;
  private long touches;
  private long blank;
  private long bad;
  private long withoutKey;
  private long badTimes;

  private Trace(InputStream raw, long size, TraceOptions options) throws IOException {
    this.source = new Unpacked(raw);
    this.size = size;
    this.in = source.packing() == Packing.PLAIN ? source : new ReadAhead(source);
    try {
      byte[] head = in.readNBytes(HEAD);
      List<byte[]> sample = sample(head);
      this.layout = Layout.of(sample, options);
      this.doubt =
          source.fault() != null && sample.isEmpty() ? source.fault() : layout.doubt(sample);
      this.lines = new Lines(new SequenceInputStream(new ByteArrayInputStream(head), in));
    } catch (IllegalArgumentException e) {
      in.close();
      throw e;
    }
    this.parser = layout.parser();
    this.header = layout.header();
    this.timed = parser.hasTime();
    this.step = SECOND / options.rate();
    this.maxLines = options.maxLines();
  }

  /**
   * Opens a file.
   *
   * @throws IOException if there is none that can be read
   * @throws IllegalArgumentException if the options name a field or column that is not there
   */
  public static Trace open(Path file, TraceOptions options) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException("is a folder, not a file");
    }
    InputStream raw = Files.newInputStream(file);
    return open(raw, Files.isRegularFile(file) ? Files.size(file) : 0, options);
  }

  /** Opens a stream, which is closed with the trace; a size of 0 says that nobody knows it. */
  public static Trace open(InputStream raw, long size, TraceOptions options) throws IOException {
    try {
      return new Trace(raw, size, options);
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  /** Moves to the next touch and returns whether there is one. */
  public boolean next() throws IOException {
    while (lines.count() < maxLines && lines.next()) {
      int from = lines.from();
      int to = lines.to();
      if (from == to) {
        blank++;
      } else if (header) {
        header = false;
      } else {
        Outcome outcome = parser.parse(lines.buffer(), from, to, touch);
        if (outcome == Outcome.TOUCH) {
          setTime();
          touches++;
          return true;
        }
        bad += outcome == Outcome.BAD ? 1 : 0;
        withoutKey += outcome == Outcome.NO_KEY ? 1 : 0;
      }
    }
    return false;
  }

  /** Returns the array that holds the key, until the next touch. */
  public byte[] bytes() {
    return touch.bytes;
  }

  /** Returns where the key begins. */
  public int from() {
    return touch.from;
  }

  /** Returns where the key ends. */
  public int to() {
    return touch.to;
  }

  /** Returns the time of the touch in nanoseconds since the first, never less than before. */
  public long nanos() {
    return nanos;
  }

  /** Returns the format. */
  public TraceFormat format() {
    return layout.format();
  }

  /** Returns whether the format was guessed. */
  public boolean isGuessed() {
    return layout.guessed();
  }

  /**
   * Returns why this is hardly a trace, judged by its first lines, or null if it looks like one. It
   * can be read all the same.
   */
  public @Nullable String doubt() {
    return doubt;
  }

  /** Returns where key and time were found, in words; empty where the format says so itself. */
  public String fields() {
    return layout.fields();
  }

  /** Returns whether the lines have times. */
  public boolean isTimed() {
    return timed;
  }

  /** Returns how the trace is packed. */
  public Packing packing() {
    return source.packing();
  }

  /** Returns the size of the file as it is stored, 0 if nobody knows it. */
  public long size() {
    return size;
  }

  /** Returns how many of the stored bytes were read. */
  public long packedBytes() {
    return source.packedBytes();
  }

  /** Returns what was read so far, and what was passed over. */
  public TraceStats stats() {
    return new TraceStats(
        lines.count(),
        touches,
        blank,
        bad,
        withoutKey,
        lines.tooLong(),
        badTimes,
        clock.backwards(),
        clock.farthestBackNanos(),
        clock.leaps(),
        clock.rebased(),
        fault());
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private @Nullable String fault() {
    if (lines.givenUp()) {
      return "a line does not end within " + Lines.GIVE_UP + " bytes";
    }
    return source.fault();
  }

  private void setTime() {
    if (!timed) {
      nanos = (long) (touches * step);
    } else if (touch.nanos == Touch.NO_TIME) {
      badTimes++;
      nanos = clock.now();
    } else {
      nanos = clock.at(touch.nanos);
    }
  }

  /** Returns the first lines that are whole and not blank. */
  private static List<byte[]> sample(byte[] head) throws IOException {
    var sample = new ArrayList<byte[]>();
    var lines = new Lines(new ByteArrayInputStream(head));
    int read = 0;
    while (sample.size() < SAMPLE && lines.next()) {
      read = lines.to();
      if (lines.to() > lines.from()) {
        sample.add(Arrays.copyOfRange(lines.buffer(), lines.from(), lines.to()));
      }
    }
    if (head.length == HEAD && read == HEAD && sample.size() > 1) {
      sample.remove(sample.size() - 1);
    }
    return sample;
  }
}
