package io.heatshield.bench.grpc;

import io.heatshield.detect.HotKeyDetector;
import io.heatshield.limit.counter.CounterBackend;
import io.heatshield.limit.rule.RuleLimiter;
import io.heatshield.limit.yaml.LoadResult;
import io.heatshield.limit.yaml.RuleFiles;
import io.heatshield.rls.HeaderNames;
import io.heatshield.rls.LimitService;
import io.heatshield.rls.grpc.GrpcCounters;
import io.heatshield.rls.grpc.GrpcLimits;
import io.heatshield.rls.grpc.GrpcPort;
import io.heatshield.runtime.net.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Our port with the scenarios' rules, any counter backend, and a detector as in a server. */
final class LimitPort implements AutoCloseable {
  private final Transport transport = new Transport(1);
  private final GrpcPort port;

  LimitPort(CounterBackend backend) throws IOException {
    LoadResult rules = RuleFiles.load("load.yaml", Scenario.RULES.getBytes(StandardCharsets.UTF_8));
    if (!(rules instanceof LoadResult.Valid valid)) {
      throw new IllegalStateException("rules must be valid: " + rules);
    }
    HotKeyDetector detector = HotKeyDetector.builder().build();
    RuleLimiter limiter =
        RuleLimiter.over(backend)
            .rules(valid.rules())
            .touches((domain, asked, hits) -> detector.touch(asked.text(), hits))
            .build();
    port =
        new GrpcPort(
            transport,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new LimitService(limiter, new HeaderNames("limit", "remaining", "reset")),
            null,
            GrpcLimits.defaults(),
            new GrpcCounters());
    port.start();
  }

  InetSocketAddress address() {
    return port.address();
  }

  @Override
  public void close() {
    port.stop(Duration.ofMillis(100));
    transport.stop(Duration.ofSeconds(1));
  }
}
