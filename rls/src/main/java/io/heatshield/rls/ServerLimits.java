package io.heatshield.rls;

import io.heatshield.action.Savings;
import io.heatshield.config.settings.LimitsSettings;
import io.heatshield.config.settings.Settings;
import io.heatshield.insight.explain.KeyEffect;
import io.heatshield.insight.explain.KeySource;
import io.heatshield.insight.explain.KeyUses;
import io.heatshield.insight.explain.ScopeKind;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.limit.Descriptor;
import io.heatshield.limit.coalesce.CoalescedCalls;
import io.heatshield.limit.counter.CounterKey;
import io.heatshield.limit.memory.MemoryCounters;
import io.heatshield.limit.rule.LimiterOptions;
import io.heatshield.limit.rule.RuleLimiter;
import io.heatshield.limit.rule.RuleSet;
import io.heatshield.limit.yaml.RuleFault;
import io.heatshield.runtime.health.Health;
import io.heatshield.runtime.metrics.Metrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rate limits of a server: counters, limiter and rule folder, with their meters. */
public final class ServerLimits implements AutoCloseable {
  /** The most rules with series of their own in the metrics; the others are counted together. */
  static final int MAX_RULE_SERIES = 1000;

  private final MemoryCounters counters;
  private final @Nullable RedisBackend redis;
  private final Health.@Nullable Check domains;
  private final RuleLimiter limiter;
  private final LimitService service;
  private final DomainTouches touches;
  private final RuleFolder folder;
  private final LimitMeters meters;

  private ServerLimits(
      LimitsSettings settings,
      MemoryCounters counters,
      @Nullable RedisBackend redis,
      Health.@Nullable Check domains,
      ServerScopes scopes,
      LongSupplier clockMillis,
      Metrics metrics) {
    this.counters = counters;
    this.redis = redis;
    this.domains = domains;
    touches = new DomainTouches(scopes);
    limiter =
        RuleLimiter.over(redis == null ? counters : redis.counters())
            .clockMillis(clockMillis)
            .touches(touches)
            .options(options(settings))
            .localCacheBytes(settings.localCache().bytes())
            .maxRuleNames(MAX_RULE_SERIES)
            .build();
    service = new LimitService(limiter, HeaderNames.of(settings.responseHeaders()));
    folder = new RuleFolder(settings.config(), settings.mergeDomains(), this::take);
    meters = new LimitMeters(metrics, service, folder, counters);
  }

  /**
   * Loads the rules and returns limits that are ready for requests.
   *
   * @param clockMillis Unix time, read for every request; may be coarse
   * @param savings records the calls that coalescing saves
   * @param health reports whether Redis answers, if counters are in Redis, and whether the rules
   *     have a domain, if one is required
   * @throws IOException if the rules have faults; the message has a line for each
   */
  public static ServerLimits open(
      Settings all,
      LimitsSettings settings,
      ServerScopes scopes,
      LongSupplier clockMillis,
      Metrics metrics,
      Savings savings,
      Health health)
      throws IOException {
    var counters = new MemoryCounters(settings.maxCounters(), clockMillis);
    RedisBackend redis =
        settings.backend() == LimitsSettings.Backend.REDIS
            ? RedisBackend.open(all, settings, counters, savings, metrics, health.expect("redis"))
            : null;
    Health.Check domains = settings.requireDomain() ? health.expect("limits") : null;
    var limits = new ServerLimits(settings, counters, redis, domains, scopes, clockMillis, metrics);
    List<RuleFault> faults = limits.folder.load();
    if (!faults.isEmpty()) {
      limits.close();
      throw new IOException(
          "the rules of limits.config have faults:\n"
              + faults.stream().map(fault -> "  " + fault).collect(Collectors.joining("\n")));
    }
    limits.meters.refresh();
    return limits;
  }

  /** Returns the service for the gRPC and HTTP servers. */
  public LimitService service() {
    return service;
  }

  /** Returns the number of commands to Redis, or 0 if the counters are in memory. */
  public long redisCommands() {
    return redis == null ? 0 : redis.commands();
  }

  /** Returns whether the counters are in Redis. */
  public boolean usesRedis() {
    return redis != null;
  }

  /** Returns the bytes that the parts of {@link LimitsMemory} take now, by their names. */
  public Map<String, Long> usedBytes() {
    return Map.of(LimitsMemory.COUNTERS, LimitsMemory.counterBytes(counters.size()));
  }

  /** Loads the rule folder if it has changed. */
  public void poll() {
    folder.poll();
  }

  /** Removes counters whose windows have ended, and registers the meters of new rules. */
  public void maintain() {
    counters.maintain();
    meters.refresh();
    if (redis != null) {
      redis.maintain();
    }
  }

  /**
   * Replaces the descriptors that are hot in the whole fleet: calls for their counters are
   * coalesced, if these are in Redis and coalescing is on.
   *
   * @param hot the texts of the descriptors of each domain, hottest first
   */
  public void hotElsewhere(Map<String, List<String>> hot) {
    if (redis == null) {
      return;
    }
    var counters = new ArrayList<CounterKey>();
    hot.forEach(
        (domain, texts) -> {
          List<Descriptor> known =
              texts.stream().map(Descriptor::parse).filter(Objects::nonNull).toList();
          counters.addAll(limiter.counterKeys(domain, known));
        });
    redis.hotElsewhere(counters);
  }

  /** Returns the source for the descriptors of a domain, if a scope is that of a domain. */
  public Optional<KeySource> source(String scope) {
    return touches.watches(scope) ? Optional.of(new DomainSource(scope)) : Optional.empty();
  }

  /** Applies the settings that may change at run time. */
  public void retune(Settings all, LimitsSettings settings) {
    limiter.options(options(settings));
    if (redis != null) {
      redis.retune(all, settings);
    }
  }

  /** Answers all pending requests and closes the connections to Redis; after the servers. */
  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
  }

  private void take(RuleSet rules) {
    touches.watch(rules.domains());
    limiter.rules(rules);
    if (domains != null && rules.domains().isEmpty()) {
      domains.fail("the rules have no domain");
    } else if (domains != null) {
      domains.pass();
    }
  }

  /** The source for the descriptors of one domain: how their calls were coalesced. */
  private final class DomainSource implements KeySource {
    private final String domain;

    DomainSource(String domain) {
      this.domain = domain;
    }

    @Override
    public ScopeKind kind() {
      return ScopeKind.LIMITS;
    }

    @Override
    public Optional<KeyUses> uses(byte[] key) {
      return Optional.empty();
    }

    @Override
    public List<KeyEffect> effects(byte[] key) {
      Descriptor descriptor = Descriptor.parse(new String(key, StandardCharsets.UTF_8));
      if (redis == null || descriptor == null) {
        return List.of();
      }
      CoalescedCalls calls =
          limiter.counterKeys(domain, List.of(descriptor)).stream()
              .map(redis::calls)
              .reduce(CoalescedCalls.NONE, CoalescedCalls::plus);
      return List.of(new KeyEffect("coalesce", calls.coalesced(), calls.wouldHaveCoalesced()));
    }
  }

  private static LimiterOptions options(LimitsSettings settings) {
    return new LimiterOptions(
        Math.max(Float.MIN_VALUE, (float) settings.nearLimitRatio()),
        settings.shadowMode(),
        settings.quotaMode(),
        settings.responseHeaders().enabled(),
        settings.dynamicMetadata(),
        settings.stopCacheKeyIncrementWhenOverlimit());
  }
}
