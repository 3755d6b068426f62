package io.heatshield.rls.table;

import io.heatshield.action.Action;
import io.heatshield.action.Savings;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.Decision;
import io.heatshield.hash.HashSecret;
import io.heatshield.insight.scope.ServerScopes;
import io.heatshield.limit.DescriptorStatus;
import io.heatshield.limit.LimitAnswer;
import io.heatshield.limit.LimitRequest;
import io.heatshield.limit.rule.RuleLimiter;
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
 * The tables of a server, which guard the rate limits.
 *
 * <p>Any thread may call any method, event loops included: a request takes only the locks of
 * stripes. A request that races a reload is decided by the old or the new rules of each table.
 */
public final class ServerTables implements LimitGuard {
  /*
   * now   volatile; read once for each request, replaced as a whole by a reload
   */
  private static final Duration MAX_UNSAVED = Duration.ofMinutes(1);

  private final Ticker ticker;
  private final Savings savings;
  private final TableFiles files;
  private final TableFactory factory;
  private final TableMeters meters;
  private final Map<String, Long> savedAt = new HashMap<>();
  private volatile List<ClientTable> now = List.of();

  /** Creates the tables of a server, without any table. */
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
    factory = new TableFactory(secret, ticker, scopes, savings, files);
    meters = new TableMeters(metrics, this::find);
    metrics.counter("table.saves.failed", "Times that a table could not be kept", files::failures);
  }

  /** Applies settings; tables with the same name and key keep their clients. */
  public synchronized void take(List<TableSettings> settings) {
    List<ClientTable> before = now;
    if (before.stream().map(ClientTable::settings).toList().equals(settings)) {
      return;
    }
    forgetRules(before, settings);
    var next = new ArrayList<ClientTable>();
    for (TableSettings table : settings) {
      ClientTable old = find(table.name()).filter(t -> t.entry().equals(table.key())).orElse(null);
      next.add(old == null ? factory.open(table) : factory.change(old, table));
    }
    now = List.copyOf(next);
    for (ClientTable table : next) {
      for (TableSettings.Rule rule : table.settings().rules()) {
        Action action = table.action(rule.name());
        if (action != null) {
          action.mode(rule.mode());
        }
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
  public @Nullable LimitAnswer refusal(LimitRequest request, RuleLimiter limiter) {
    List<ClientTable> tables = now;
    if (tables.isEmpty()) {
      return null;
    }
    Refusal found = decide(UseFinder.uses(tables, request), () -> limiter.counters(request));
    return found == null ? null : refusal(request, found, limiter.options().dynamicMetadata());
  }

  /**
   * Touches a key of a table, and returns the refusal, or null.
   *
   * @param target a value for the table's distinct count, or null
   */
  public @Nullable Refused touch(
      ClientTable table, String key, long weight, @Nullable String target) {
    var use = new ClientUse(table, key, weight);
    if (target != null && table.targetEntry() != null) {
      use.targets.add(target);
    }
    Refusal found = decide(List.of(use), () -> 0);
    return found == null ? null : new Refused(found.rule(), found.seconds());
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
    if (table == null || !table.clients().unblock(key)) {
      return false;
    }
    if (table.settings().persist()) {
      files.write(table);
    }
    return true;
  }

  /** Saves every persistent table that is due. */
  public synchronized void saveDue() {
    for (ClientTable table : now) {
      Long last = savedAt.get(table.settings().name());
      Duration most =
          table.settings().window().compareTo(MAX_UNSAVED) < 0
              ? table.settings().window()
              : MAX_UNSAVED;
      if (last == null || ticker.nanos() - last >= most.toNanos()) {
        save(table);
      }
    }
  }

  /** Saves every persistent table. */
  public synchronized void save() {
    now.forEach(this::save);
  }

  /**
   * The refusal of a touch.
   *
   * @param rule the rule that blocks the client
   * @param seconds the remaining time of the block
   */
  public record Refused(String rule, int seconds) {}

  /**
   * Returns the refusal of uses, or null. First checks every block, so that a refused request
   * charges nothing; then touches every table, whose rules may block.
   *
   * @param calls the calls to the counters that a refusal saves
   */
  private static @Nullable Refusal decide(List<ClientUse> uses, IntSupplier calls) {
    for (ClientUse use : uses) {
      Refusal found = use.table.refusal(use);
      if (found != null && found.action().apply(calls.getAsInt())) {
        return found;
      }
    }
    Refusal refused = null;
    for (ClientUse use : uses) {
      if (use.weight > 0) {
        Decision decision = use.table.touch(use);
        decision
            .observed()
            .map(use.table::action)
            .ifPresent(action -> action.apply(calls.getAsInt()));
        Refusal found = use.table.refusal(use, decision);
        if (found != null && refused == null && found.action().apply(calls.getAsInt())) {
          refused = found;
        }
      }
    }
    return refused;
  }

  private static LimitAnswer refusal(LimitRequest request, Refusal found, boolean metadata) {
    var over = new DescriptorStatus(true, null, 0, found.seconds());
    var statuses =
        new ArrayList<>(
            Collections.nCopies(request.descriptors().size(), DescriptorStatus.NO_LIMIT));
    found.use().descriptors.forEach(i -> statuses.set(i, over));
    Map<String, Object> why =
        Map.of(
            "blocked_by_table", found.use().table.settings().name(),
            "blocked_by_rule", found.rule());
    return new LimitAnswer(true, List.copyOf(statuses), null, metadata ? why : Map.of());
  }

  private void save(ClientTable table) {
    if (table.settings().persist()) {
      files.save(table);
      savedAt.put(table.settings().name(), ticker.nanos());
    }
  }

  /** Removes the savings of rules that no longer exist. */
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
          savings.remove(TableFactory.action(rule), TableFactory.scope(old.settings()));
        }
      }
    }
  }
}
