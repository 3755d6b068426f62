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
 * A cursor over the touches of a recorded trace.
 *
 * <p>Compression and format are detected from the first bytes and lines. No content makes reading
 * fail: unreadable lines are counted in {@link #stats}, and a truncated or damaged trace ends at
 * the damage. Memory is fixed.
 *
 * <p>Not thread-safe, except for {@link #compressedBytes}.
 */
public final class Trace implements Closeable {
  private static final int HEAD = 1 << 16;
  private static final int SAMPLE = 200;
  private static final long SECOND = 1_000_000_000L;

  private final DecompressedStream source;
  private final InputStream in;
  private final long size;
  private final Layout layout;
  private final @Nullable String doubt;
  private final LineReader lines;
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
    this.source = new DecompressedStream(raw);
    this.size = size;
    this.in = source.compression() == Compression.PLAIN ? source : new ReadAhead(source);
    try {
      byte[] head = in.readNBytes(HEAD);
      List<byte[]> sample = sample(head);
      this.layout = Layout.of(sample, options);
      this.doubt =
          source.fault() != null && sample.isEmpty() ? source.fault() : layout.doubt(sample);
      this.lines = new LineReader(new SequenceInputStream(new ByteArrayInputStream(head), in));
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
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the options name a field or column that does not exist
   */
  public static Trace open(Path file, TraceOptions options) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException("is a folder, not a file");
    }
    InputStream raw = Files.newInputStream(file);
    return open(raw, Files.isRegularFile(file) ? Files.size(file) : 0, options);
  }

  /** Opens a stream, which the trace closes; a size of 0 means unknown. */
  public static Trace open(InputStream raw, long size, TraceOptions options) throws IOException {
    try {
      return new Trace(raw, size, options);
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  /** Advances to the next touch; returns false at the end. */
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

  /** Returns the array that holds the key; valid until the next call of {@link #next}. */
  public byte[] bytes() {
    return touch.bytes;
  }

  /** Returns the start of the key. */
  public int from() {
    return touch.from;
  }

  /** Returns the end of the key, exclusive. */
  public int to() {
    return touch.to;
  }

  /** Returns the time in nanoseconds since the first touch; never decreases. */
  public long nanos() {
    return nanos;
  }

  /** Returns a description of the trace as far as it has been read. */
  public TraceFacts facts() {
    return new TraceFacts(
        layout.format(), layout.guessed(), layout.fields(), timed, source.compression(), stats());
  }

  /** Returns why this is probably not a trace, by its first lines, or null if it looks like one. */
  public @Nullable String doubt() {
    return doubt;
  }

  /** Returns the size of the file in bytes; 0 if unknown. */
  public long size() {
    return size;
  }

  /** Returns the number of bytes that were read from the file. */
  public long compressedBytes() {
    return source.compressedBytes();
  }

  /** Returns the counts of lines read and skipped so far. */
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
    if (lines.aborted()) {
      return "a line does not end within " + LineReader.ABORT_AFTER + " bytes";
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
      nanos = clock.advance(touch.nanos);
    }
  }

  /** Returns the first complete lines that are not blank. */
  private static List<byte[]> sample(byte[] head) throws IOException {
    var sample = new ArrayList<byte[]>();
    var lines = new LineReader(new ByteArrayInputStream(head));
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
