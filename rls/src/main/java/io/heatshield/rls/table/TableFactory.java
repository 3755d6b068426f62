package io.heatshield.rls.table;

import io.heatshield.action.Savings;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.BlockTable;
import io.heatshield.contest.ContestTable;
import io.heatshield.contest.ContestTableBuilder;
import io.heatshield.contest.TokenRate;
import io.heatshield.detect.HotKeyDetector;
import io.heatshield.hash.HashSecret;
import io.heatshield.hash.KeyHash;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates tables from settings, saved files and the tables before a reload. */
final class TableFactory {
  private static final Logger log = LoggerFactory.getLogger(TableFactory.class);

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
    String name = settings.name();
    ContestTableBuilder shape = shape(settings);
    ContestTable clients = settings.persist() ? files.clients(name, shape) : shape.build();
    BlockTable blocks = blocks(settings);
    if (settings.persist()) {
      files.blocks(name, blocks);
    }
    return table(settings, clients, blocks, blocks(settings));
  }

  /** Returns a table with other settings that takes over the clients and blocks of another. */
  ClientTable change(ClientTable before, TableSettings settings) {
    before.blocks().resize(settings.maxBlocks());
    before.observed().resize(settings.maxBlocks());
    ContestTable clients = shape(settings).resume(before.clients());
    return table(settings, clients, before.blocks(), before.observed());
  }

  /** Returns the name of the scope that counts the touches of a table. */
  static String scope(TableSettings settings) {
    return "table:" + settings.name();
  }

  /** Returns the name of the action that records the effect of a rule. */
  static String action(TableSettings.Rule rule) {
    return "rule:" + rule.name();
  }

  private ClientTable table(
      TableSettings settings, ContestTable clients, BlockTable blocks, BlockTable observed) {
    return new ClientTable(
        settings,
        keyHash,
        clients,
        blocks,
        observed,
        rules(settings),
        new RuleLog(settings.name(), ticker, settings.logInterval()),
        detector(settings));
  }

  private ContestTableBuilder shape(TableSettings settings) {
    return builder(settings).secret(secret).ticker(ticker);
  }

  /** Returns a builder of the table of clients, without secret and ticker. */
  static ContestTableBuilder builder(TableSettings settings) {
    TableSettings.Cardinality cardinality = settings.cardinality();
    var rates = new ArrayList<TokenRate>();
    for (TableSettings.Rule rule : settings.rules()) {
      TokenRate rate = rule.when().tokens();
      if (rate != null) {
        rates.add(rate);
      }
    }
    return ContestTable.builder()
        .slots(settings.slots())
        .window(settings.window())
        .probes(settings.probes())
        .cardinality(cardinality == null ? null : cardinality.counting())
        .rates(rates);
  }

  private BlockTable blocks(TableSettings settings) {
    return new BlockTable(settings.maxBlocks(), secret, ticker);
  }

  private List<TableRule> rules(TableSettings settings) {
    var rules = new ArrayList<TableRule>();
    int bucket = 0;
    for (TableSettings.Rule rule : settings.rules()) {
      rules.add(
          new TableRule(rule, bucket, savings.action(action(rule), scope(settings), rule.mode())));
      bucket += rule.when().tokens() == null ? 0 : 1;
    }
    return rules;
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
