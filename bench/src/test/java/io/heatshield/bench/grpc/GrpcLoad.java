package io.heatshield.bench.grpc;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.heatshield.bench.ServerProcess;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers that ask one rate-limit port over several connections, each the next question as soon as
 * it has the answer to the last, or at a pace.
 */
// The end of the loops is not awaited: the process ends.
@SuppressWarnings("FutureReturnValueIgnored")
final class GrpcLoad implements AutoCloseable {
  /** Calls that are cut off fill the log; this lets them end. */
  private static final Duration DRAIN = Duration.ofMillis(100);

  /** Made once: new ones for each load would be copied by a collection while it is measured. */
  private static final Map<Scenario, RateLimitRequest[]> QUESTIONS = new ConcurrentHashMap<>();

  private final ServerProcess port;
  private final MultiThreadIoEventLoopGroup loops;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final LongAdder answers = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private volatile Latencies latencies = new Latencies();
  private volatile Latencies sinceDue = new Latencies();
  private volatile boolean running = true;

  GrpcLoad(ServerProcess port, int connections) {
    this.port = port;
    boolean epoll = Epoll.isAvailable();
    loops =
        new MultiThreadIoEventLoopGroup(
            1, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    for (int i = 0; i < connections; i++) {
      channels.add(
          NettyChannelBuilder.forAddress(port.address())
              .eventLoopGroup(loops)
              .channelType(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
              .directExecutor()
              .usePlaintext()
              .build());
    }
  }

  /** Lets callers ask for a while and returns what came of it after the warm-up. */
  Ran run(Scenario scenario, int callers, Duration warmUp, Duration measured) {
    start(scenario, callers, Duration.ZERO);
    pause(warmUp);
    latencies = new Latencies();
    long before = answers();
    Duration cpu = port.cpu();
    Duration all = ServerProcess.machineCpu();
    long start = System.nanoTime();
    pause(measured);
    long count = answers() - before;
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuMicros = port.cpu().minus(cpu).toNanos() / 1e3 / count;
    double allMicros = ServerProcess.machineCpu().minus(all).toNanos() / 1e3 / count;
    return new Ran(count / seconds, cpuMicros, allMicros);
  }

  /**
   * Lets callers begin to ask.
   *
   * @param every the time from one question of a caller to its next, which is put off only while
   *     the answer to the last is out; zero for as soon as there is an answer
   */
  void start(Scenario scenario, int callers, Duration every) {
    RateLimitRequest[] questions = QUESTIONS.computeIfAbsent(scenario, GrpcLoad::questions);
    long now = System.nanoTime();
    for (int i = 0; i < callers; i++) {
      long due = now + every.toNanos() * i / callers;
      ManagedChannel channel = channels.get(i % channels.size());
      new Caller(channel, questions, i * 37, every.toNanos(), due).next();
    }
  }

  private static RateLimitRequest[] questions(Scenario scenario) {
    RateLimitRequest[] questions = new RateLimitRequest[scenario.questions()];
    for (int i = 0; i < questions.length; i++) {
      questions[i] = scenario.question(i);
    }
    return questions;
  }

  /** Returns how many answers there were so far. */
  long answers() {
    if (failures.sum() > 0) {
      throw new IllegalStateException("calls failed: " + failures.sum());
    }
    return answers.sum();
  }

  /** Returns how long the answers took since the warm-up, or since this was last asked. */
  Latencies latencies() {
    Latencies so = latencies;
    latencies = new Latencies();
    return so;
  }

  /** Returns the same, counted from when questions were due, if callers have a pace. */
  Latencies sinceDue() {
    Latencies so = sinceDue;
    sinceDue = new Latencies();
    return so;
  }

  /** Waits while callers go on asking. */
  static void pause(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    running = false;
    pause(DRAIN);
    channels.forEach(ManagedChannel::shutdownNow);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /**
   * What came of a run.
   *
   * @param perSecond calls per second
   * @param cpuMicros the processor time of the port's process per call
   * @param allMicros that of the machine: callers, port, Redis and all
   */
  record Ran(double perSecond, double cpuMicros, double allMicros) {}

  private final class Caller implements StreamObserver<RateLimitResponse> {
    private final RateLimitServiceGrpc.RateLimitServiceStub stub;
    private final RateLimitRequest[] questions;
    private final long everyNanos;
    private int next;
    private long due;
    private long askedAt;

    Caller(
        ManagedChannel channel,
        RateLimitRequest[] questions,
        int first,
        long everyNanos,
        long due) {
      this.stub = RateLimitServiceGrpc.newStub(channel);
      this.questions = questions;
      this.next = first;
      this.everyNanos = everyNanos;
      this.due = due;
    }

    /** Asks when it is due. */
    void next() {
      if (everyNanos == 0) {
        ask();
      } else {
        loops.schedule(this::ask, due - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    }

    private void ask() {
      askedAt = System.nanoTime();
      stub.shouldRateLimit(questions[next++ & (questions.length - 1)], this);
    }

    @Override
    public void onNext(RateLimitResponse answer) {
      long now = System.nanoTime();
      latencies.record(now - askedAt);
      if (everyNanos != 0) {
        sinceDue.record(now - due);
      }
      if (answer.getOverallCode() == RateLimitResponse.Code.OK) {
        answers.increment();
      } else {
        failures.increment();
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (running) {
        failures.increment();
      }
    }

    @Override
    public void onCompleted() {
      if (running) {
        due += everyNanos;
        next();
      }
    }
  }
}
