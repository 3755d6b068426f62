package io.heatshield.rls.table;

import io.heatshield.action.Savings;
import io.heatshield.config.TableSettings;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.limiter.RateLimiter;
import io.heatshield.rls.LimitGuard;
import io.heatshield.runtime.metrics.Metrics;
import io.heatshield.runtime.state.StateFolder;
import io.heatshield.time.Ticker;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a server, and the guard that they are in front of the rate limits.
 *
 * <p>Any thread may ask, an event loop among them: a question takes no lock but those of stripes.
 * It is judged by one set of tables, whole, whatever is reloaded meanwhile.
 */
public final class ServerTables implements LimitGuard {
  /*
   * now   read: volatile, once for each question   written: volatile, a new list at each reload
   */
  private static final Duration LONGEST_UNSAVED = Duration.ofMinutes(1);

  private final Ticker ticker;
  private final Savings savings;
  private final TableFiles files;
  private final TableMaker maker;
  private final TableMeters meters;
  private final Map<String, Long> savedAt = new HashMap<>();
  private volatile List<ClientTable> now = List.of();

  /** Creates the tables of a server, of which there are none yet. */
  public ServerTables(
      HashSecret secret,
      Ticker ticker,
      Clock clock,
      ServerScopes scopes,
      Savings savings,
      Metrics metrics,
      StateFolder folder) {
    this.ticker = ticker;
    this.savings = savings;
    files = new TableFiles(folder, clock);
    maker = new TableMaker(secret, ticker, scopes, savings, files);
    meters = new TableMeters(metrics, this::find);
    metrics.counter("table.saves.failed", "Times that a table could not be kept", files::failures);
  }

  /** Takes valid settings, all at once; tables whose name and key stay go on with their clients. */
  public synchronized void take(List<TableSettings> settings) {
    List<ClientTable> before = now;
    if (before.stream().map(ClientTable::settings).toList().equals(settings)) {
      return;
    }
    forgetRules(before, settings);
    var next = new ArrayList<ClientTable>();
    for (TableSettings table : settings) {
      ClientTable old = find(table.name()).filter(t -> t.entry().equals(table.key())).orElse(null);
      next.add(old == null ? maker.open(table) : maker.change(old, table));
    }
    now = List.copyOf(next);
    for (ClientTable table : next) {
      for (int i = 0; i < table.rules().size(); i++) {
        table.rules().get(i).action().mode(table.settings().rules().get(i).mode());
      }
      meters.show(table);
    }
  }

  /** Returns all tables, in the order of the file. */
  public List<ClientTable> all() {
    return now;
  }

  /** Returns the table of a name. */
  public Optional<ClientTable> find(String name) {
    return now.stream().filter(table -> table.settings().name().equals(name)).findFirst();
  }

  @Override
  public @Nullable LimitAnswer refusal(LimitRequest question, RateLimiter limiter) {
    List<ClientTable> tables = now;
    if (tables.isEmpty()) {
      return null;
    }
    Held held = judge(Feeds.uses(tables, question), () -> limiter.counters(question));
    return held == null ? null : refusal(question, held, limiter.options().dynamicMetadata());
  }

  /**
   * Touches a key of a table, and returns why it is refused, or null.
   *
   * @param target the value of the second dimension that came along, or null
   */
  public @Nullable Refused touch(
      ClientTable table, String key, long weight, @Nullable String target) {
    var use = new Use(table, key, weight);
    if (target != null && table.targetEntry() != null) {
      use.targets.add(target);
    }
    Held held = judge(List.of(use), () -> 0);
    return held == null ? null : new Refused(held.rule().name(), held.seconds());
  }

  /**
   * Ends the block of a client, forgets its counts, and saves the table if it is persistent, so
   * that a crash does not bring the block back. Blocks the calling thread while it saves.
   *
   * @return false if the client is not blocked
   * @throws IOException if the table could not be saved; the block has ended nevertheless
   */
  public synchronized boolean unblock(String name, byte[] key) throws IOException {
    ClientTable table = find(name).orElse(null);
    if (table == null || !table.unblock(key)) {
      return false;
    }
    if (table.settings().persist()) {
      files.write(table);
    }
    return true;
  }

  /** Keeps every table that is due and is one to be kept. */
  public synchronized void saveDue() {
    for (ClientTable table : now) {
      Long last = savedAt.get(table.settings().name());
      Duration most =
          table.settings().window().compareTo(LONGEST_UNSAVED) < 0
              ? table.settings().window()
              : LONGEST_UNSAVED;
      if (last == null || ticker.nanos() - last >= most.toNanos()) {
        save(table);
      }
    }
  }

  /** Keeps every table that is one to be kept. */
  public synchronized void save() {
    now.forEach(this::save);
  }

  /**
   * Why a touch was refused.
   *
   * @param rule the rule that blocks the client
   * @param seconds when it may come again
   */
  public record Refused(String rule, int seconds) {}

  /**
   * Returns why uses are refused, or null. First every block is looked at, so that a refused
   * question charges nothing anywhere; then every table is touched, and rules may block.
   *
   * @param calls how many calls to the counters a refusal saves
   */
  private static @Nullable Held judge(List<Use> uses, IntSupplier calls) {
    for (Use use : uses) {
      Held held = use.table.held(use);
      if (held != null && held.rule().action().apply(calls.getAsInt())) {
        return held;
      }
    }
    Held refused = null;
    for (Use use : uses) {
      if (use.weight > 0) {
        Touching touching = use.table.touch(use);
        if (touching.observed() != null) {
          boolean unused = touching.observed().action().apply(calls.getAsInt());
        }
        Held held = touching.refused();
        if (held != null && refused == null && held.rule().action().apply(calls.getAsInt())) {
          refused = held;
        }
      }
    }
    return refused;
  }

  private static LimitAnswer refusal(LimitRequest question, Held held, boolean metadata) {
    var over = new DescriptorStatus(true, null, 0, held.seconds());
    var statuses =
        new ArrayList<>(
            Collections.nCopies(question.descriptors().size(), DescriptorStatus.NO_LIMIT));
    held.use().descriptors.forEach(i -> statuses.set(i, over));
    Map<String, Object> why =
        Map.of(
            "blocked_by_table", held.use().table.settings().name(),
            "blocked_by_rule", held.rule().name());
    return new LimitAnswer(true, List.copyOf(statuses), null, metadata ? why : Map.of());
  }

  private void save(ClientTable table) {
    if (table.settings().persist()) {
      files.save(table);
      savedAt.put(table.settings().name(), ticker.nanos());
    }
  }

  /** Takes what rules did out of the ledger that are there no more. */
  private void forgetRules(List<ClientTable> before, List<TableSettings> settings) {
    for (ClientTable old : before) {
      List<String> kept =
          settings.stream()
              .filter(table -> table.name().equals(old.settings().name()))
              .flatMap(table -> table.rules().stream())
              .map(TableSettings.Rule::name)
              .toList();
      for (TableSettings.Rule rule : old.settings().rules()) {
        if (!kept.contains(rule.name())) {
          savings.remove(TableMaker.action(rule), TableMaker.scope(old.settings()));
        }
      }
    }
  }
}
