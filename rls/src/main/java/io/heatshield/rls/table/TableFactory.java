package io.heatshield.rls.table;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.config.value.Cidr;
import io.heatshield.config.value.IpLiteral;
import io.heatshield.config.value.TouchRate;
import io.heatshield.contest.HeavyHitters;
import io.heatshield.contest.HeavyHittersBuilder;
import io.heatshield.contest.Rule;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.time.Rate;
import io.heatshield.time.Ticker;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates tables from settings, saved files and the tables before a reload. */
final class TableFactory {
  private static final Logger log = LoggerFactory.getLogger(TableFactory.class);

  /** No address is longer; other keys are not parsed. */
  private static final int MAX_ADDRESS_BYTES = 64;

  private final HashSecret secret;
  private final KeyHash keyHash;
  private final Ticker ticker;
  private final ServerScopes scopes;
  private final Savings savings;
  private final TableFiles files;

  TableFactory(
      HashSecret secret, Ticker ticker, ServerScopes scopes, Savings savings, TableFiles files) {
    this.secret = secret;
    this.keyHash = KeyHash.fast(secret);
    this.ticker = ticker;
    this.scopes = scopes;
    this.savings = savings;
    this.files = files;
  }

  /** Returns a table with its saved clients and blocks, if it is persistent. */
  ClientTable open(TableSettings settings) {
    Map<String, Action> actions = actions(settings);
    RuleLog ruleLog = log(settings, actions);
    HeavyHitters clients = shape(settings, ruleLog).build();
    if (settings.persist()) {
      files.restore(settings.name(), clients);
    }
    return new ClientTable(settings, clients, actions, ruleLog, detector(settings));
  }

  /** Returns a table with other settings that takes over the clients and blocks of another. */
  ClientTable change(ClientTable before, TableSettings settings) {
    Map<String, Action> actions = actions(settings);
    RuleLog ruleLog = log(settings, actions);
    before.clients().reconfigure(shape(settings, ruleLog));
    return new ClientTable(settings, before.clients(), actions, ruleLog, detector(settings));
  }

  /** Returns the name of the scope that counts the touches of a table. */
  static String scope(TableSettings settings) {
    return "table:" + settings.name();
  }

  /** Returns the name of the action that records the effect of a rule. */
  static String action(TableSettings.Rule rule) {
    return "rule:" + rule.name();
  }

  private HeavyHittersBuilder shape(TableSettings settings, RuleLog ruleLog) {
    HeavyHittersBuilder shape = builder(settings).listener(ruleLog).secret(secret).ticker(ticker);
    return settings.trusted().isEmpty()
        ? shape
        : shape.trusted(key -> isTrusted(key, settings.trusted()));
  }

  /** Returns a builder of the table of clients, with what its memory depends on. */
  static HeavyHittersBuilder builder(TableSettings settings) {
    TableSettings.Cardinality cardinality = settings.cardinality();
    HeavyHittersBuilder builder =
        HeavyHitters.builder()
            .maxKeys(settings.slots())
            .maxBlocks(settings.maxBlocks())
            .window(settings.window())
            .probes(settings.probes())
            .distinct(cardinality == null ? null : cardinality.counting());
    settings.rules().forEach(rule -> builder.rule(rule(rule)));
    return builder;
  }

  /** Returns the actions that count what each rule refuses, by its name. */
  private Map<String, Action> actions(TableSettings settings) {
    return settings.rules().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                TableSettings.Rule::name,
                rule -> savings.action(action(rule), scope(settings), rule.mode())));
  }

  private RuleLog log(TableSettings settings, Map<String, Action> actions) {
    return new RuleLog(settings, actions, keyHash, ticker);
  }

  private static Rule rule(TableSettings.Rule settings) {
    TableSettings.Condition when = settings.when();
    TouchRate above = when.rateAbove();
    Long targets = when.cardinalityAbove();
    Rule rule;
    if (above == null) {
      rule = Rule.distinct(settings.name(), Objects.requireNonNull(targets));
    } else {
      rule = Rule.rate(settings.name(), new Rate(above.touches(), above.length()));
      rule = when.burst() == null ? rule : rule.burst(when.burst());
      rule = targets == null ? rule : rule.distinct(targets);
    }
    boolean blocks = settings.action().contains(TableSettings.Action.BLOCK);
    return (blocks ? rule.block(settings.blockFor()) : rule).mode(settings.mode());
  }

  private static boolean isTrusted(byte[] key, List<Cidr> trusted) {
    if (key.length > MAX_ADDRESS_BYTES) {
      return false;
    }
    InetAddress address = IpLiteral.parse(new String(key, StandardCharsets.UTF_8));
    return address != null && trusted.stream().anyMatch(network -> network.contains(address));
  }

  private @Nullable HotKeyDetector detector(TableSettings settings) {
    try {
      return scopes.open(scope(settings));
    } catch (IllegalStateException e) {
      log.warn(
          "table {} enforces its rules, but its hot keys are not detected: {}",
          settings.name(),
          e.getMessage());
      return null;
    }
  }
}
