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
 * Callers of one rate-limit port over several connections. Each sends its next request as soon as
 * it has the answer to the last one, or at a fixed interval.
 */
// The end of the loops is not awaited, because the process ends.
@SuppressWarnings("FutureReturnValueIgnored")
final class GrpcLoad implements AutoCloseable {
  /** The time in which pending calls may end; cancelled calls would fill the log. */
  private static final Duration DRAIN = Duration.ofMillis(100);

  /** Created once: garbage collection would copy new ones during each measurement. */
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

  /** Runs the callers and returns the result of the time after the warm-up. */
  Result run(Scenario scenario, int callers, Duration warmUp, Duration measured) {
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
    return new Result(count / seconds, cpuMicros, allMicros);
  }

  /**
   * Starts the callers.
   *
   * @param every the time between two requests of a caller, longer only if the answer to the last
   *     is still missing; zero to send the next request after each answer
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

  /** Returns the number of answers so far. */
  long answers() {
    if (failures.sum() > 0) {
      throw new IllegalStateException("calls failed: " + failures.sum());
    }
    return answers.sum();
  }

  /** Returns the latencies since the warm-up, or since the last call of this method. */
  Latencies latencies() {
    Latencies so = latencies;
    latencies = new Latencies();
    return so;
  }

  /** Returns the latencies from when requests were due, if callers have a fixed interval. */
  Latencies sinceDue() {
    Latencies so = sinceDue;
    sinceDue = new Latencies();
    return so;
  }

  /** Waits while the callers continue. */
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
   * The result of a run.
   *
   * @param perSecond calls per second
   * @param cpuMicros the CPU time of the server's process per call
   * @param allMicros the CPU time of the whole machine per call
   */
  record Result(double perSecond, double cpuMicros, double allMicros) {}

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

    /** Sends the next request when it is due. */
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
