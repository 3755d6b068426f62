package io.heatshield.web.api;

import io.heatshield.action.Mode;
import io.heatshield.config.settings.TableSettings;
import io.heatshield.contest.BlockStats;
import io.heatshield.contest.BlockedKey;
import io.heatshield.contest.ContestStats;
import io.heatshield.contest.DistinctEstimate;
import io.heatshield.contest.DistinctSettings;
import io.heatshield.contest.HeavyHittersStats;
import io.heatshield.contest.KeyScore;
import io.heatshield.hash.SeaHash;
import io.heatshield.key.KeyText;
import io.heatshield.limit.InvalidRequestException;
import io.heatshield.rls.table.ClientTable;
import io.heatshield.rls.table.ServerTables;
import io.heatshield.runtime.json.JsonReader;
import io.heatshield.web.http.BadRequestException;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /api/v1/tables}: the busiest and the blocked clients, touch and unblock. */
public final class TablesApi {
  private static final Logger log = LoggerFactory.getLogger(TablesApi.class);
  private static final String TABLE = "The name of the table.";
  private static final int DEFAULT_CLIENTS = 10;
  private static final int MAX_CLIENTS = 1000;
  private static final long MAX_WEIGHT = Integer.MAX_VALUE;

  private final ServerTables tables;
  private final Executor background;

  /**
   * Creates the API of these tables.
   *
   * @param background runs the calls that write to the disk
   */
  public TablesApi(ServerTables tables, Executor background) {
    this.tables = tables;
    this.background = background;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/tables",
                "Lists the tables with their rules, counts and memory.",
                request ->
                    Response.json(
                        new TablesView(tables.all().stream().map(TablesApi::tableView).toList())))
            .answering(200, "All tables.", TablesView.class),
        Route.get(
                "/api/v1/tables/{table}/top",
                "Lists the clients with the highest rates and the blocked clients.",
                request -> with(request, table -> top(request, table)))
            .withPath("table", TABLE, Schema.text().withExample("clients"))
            .withQuery(
                "n",
                "The maximum number of clients and of blocks.",
                Schema.integer(1, MAX_CLIENTS).byDefault(DEFAULT_CLIENTS))
            .answering(
                200,
                "The clients, highest rate first, and the blocks, longest first.",
                TopView.class)
            .answering(404, "No such table."),
        Route.of(
                Method.POST,
                "/api/v1/tables/{table}/touch",
                "Counts a request of a client and returns whether it is blocked.",
                request -> with(request, table -> touch(request, table)))
            .withPath("table", TABLE, Schema.text().withExample("clients"))
            .taking(touchBody())
            .answering(200, "Not blocked; the state of the client.", TouchView.class)
            .answering(400, "The body is invalid; the error says why.")
            .answering(404, "No such table.")
            .answering(
                429, "The client is blocked for the seconds in Retry-After.", TouchView.class),
        Route.async(
                Method.DELETE,
                "/api/v1/tables/{table}/blocks/{key}",
                "Unblocks a client and resets its rate and its distinct targets.",
                this::unblock)
            .withPath("table", TABLE, Schema.text().withExample("clients"))
            .withPath("key", "The client, percent-encoded.", Schema.text().withExample("10.1.2.3"))
            .answering(204, "The client is unblocked, which is saved.")
            .answering(404, "No such table, or the client is not blocked.")
            .answering(
                500,
                "The client is unblocked, but the block could not be removed from state_dir."));
  }

  private static Schema touchBody() {
    return Schema.object()
        .withField("key", Schema.text().about("The client.").with("minLength", 1))
        .withOptional("target", Schema.text().orNull().about("The target of the request."))
        .withOptional(
            "weight",
            Schema.integer(1, MAX_WEIGHT).orNull().about("The number of requests to count."))
        .closed()
        .withExample(Map.of("key", "10.1.2.3", "target", "/login"));
  }

  private Response with(Request request, Function<ClientTable, Response> answer) {
    String name = request.parameterText("table");
    return tables.find(name).map(answer).orElseGet(() -> noTable(name));
  }

  private static Response top(Request request, ClientTable table) {
    int most = request.queryInt("n", DEFAULT_CLIENTS, 1, MAX_CLIENTS);
    return Response.json(
        new TopView(
            table.settings().name(),
            table.clients().top(most).stream().map(client -> clientView(client, table)).toList(),
            table.clients().blocked().stream().limit(most).map(TablesApi::blockView).toList()));
  }

  private Response touch(Request request, ClientTable table) {
    String key;
    String target;
    long weight;
    try {
      JsonFields fields = JsonFields.of("", JsonReader.read(request.body()));
      key = fields.text("key");
      target = fields.text("target");
      weight = fields.number("weight", MAX_WEIGHT).orElse(1);
      fields.requireNoOthers();
      if (key.isEmpty() || weight == 0) {
        throw fields.fault(key.isEmpty() ? "key" : "weight", "must not be empty or 0");
      }
    } catch (InvalidRequestException e) {
      throw new BadRequestException(e.field() + ": " + e.sentence());
    }
    ServerTables.Refused refused =
        tables.touch(table, key, weight, target.isEmpty() ? null : target);
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    ClientView client =
        table.clients().find(bytes).map(found -> clientView(found, table)).orElse(null);
    Response answer =
        Response.json(
            refused == null ? 200 : 429,
            new TouchView(
                table.settings().name(),
                KeyText.of(bytes),
                SeaHash.label(bytes),
                refused != null,
                refused == null ? null : refused.rule(),
                client));
    return refused == null
        ? answer
        : answer.withHeader("Retry-After", Integer.toString(refused.seconds()));
  }

  private CompletionStage<Response> unblock(Request request) {
    String table = request.parameterText("table");
    byte[] key = request.parameter("key");
    return tables.find(table).isPresent()
        ? CompletableFuture.supplyAsync(() -> unblock(table, key), background)
        : noTable(table).completed();
  }

  private Response unblock(String table, byte[] key) {
    try {
      return tables.unblock(table, key)
          ? Response.empty(204)
          : Response.problem(404, KeyText.of(key) + " is not blocked");
    } catch (IOException e) {
      log.error(
          "client unblocked in table {}, but its block could not be removed from state_dir",
          table,
          e);
      return Response.problem(
          500, "the client is unblocked, but the block could not be removed from state_dir");
    }
  }

  private static Response noTable(String name) {
    return Response.problem(404, "no such table: " + KeyText.of(name));
  }

  private static TableView tableView(ClientTable table) {
    TableSettings settings = table.settings();
    HeavyHittersStats stats = table.clients().stats();
    return new TableView(
        settings.name(),
        settings.key(),
        settings.window().toMillis() / 1e3,
        StatsView.of(stats.keys()),
        stats.keys().used(),
        table.clients().entryBytes(KeyText.MAX_BYTES) * stats.keys().capacity(),
        stats.blocks(),
        settings.rules().stream().map(rule -> new RuleView(rule.name(), rule.mode())).toList());
  }

  private static ClientView clientView(KeyScore client, ClientTable table) {
    TableSettings.Cardinality cardinality = table.settings().cardinality();
    return new ClientView(
        KeyText.of(client.key()),
        SeaHash.label(client.key()),
        client.rate(),
        client.rateError(),
        client.age().toMillis() / 1e3,
        cardinality == null ? null : DistinctView.of(client.distinct(), cardinality.counting()));
  }

  private static BlockView blockView(BlockedKey block) {
    return new BlockView(
        KeyText.of(block.key()),
        SeaHash.label(block.key()),
        block.rule().orElse(null),
        block.left().toMillis() / 1e3);
  }

  private record TablesView(List<TableView> tables) {}

  private record TableView(
      String table,
      String key,
      double windowSeconds,
      StatsView stats,
      double used,
      long memoryBytesAtMost,
      BlockStats blocks,
      List<RuleView> rules) {}

  /** The counts of a table; nothing vetoes a contest, but the field {@code vetoed} is stable. */
  private record StatsView(
      long size,
      long capacity,
      long touches,
      long untracked,
      long contests,
      long won,
      long evictions,
      long expired,
      long replaced,
      long rejected,
      long vetoed) {
    static StatsView of(ContestStats stats) {
      return new StatsView(
          stats.size(),
          stats.capacity(),
          stats.touches(),
          stats.untracked(),
          stats.contests(),
          stats.won(),
          stats.evictions(),
          stats.expired(),
          stats.replaced(),
          stats.rejected(),
          0);
    }
  }

  private record RuleView(String rule, Mode mode) {}

  private record TopView(String table, List<ClientView> clients, List<BlockView> blocked) {}

  private record ClientView(
      String key,
      String keyHash,
      double rate,
      double rateError,
      double silentSeconds,
      @Nullable DistinctView distinct) {}

  /** An estimate of the distinct targets with its standard error. */
  private record DistinctView(long estimate, double error, boolean atLeast) {
    static DistinctView of(DistinctEstimate distinct, DistinctSettings cardinality) {
      return new DistinctView(
          distinct.estimate(), cardinality.error((double) distinct.estimate()), distinct.atLeast());
    }
  }

  private record BlockView(String key, String keyHash, @Nullable String rule, double secondsLeft) {}

  private record TouchView(
      String table,
      String key,
      String keyHash,
      boolean blocked,
      @Nullable String rule,
      @Nullable ClientView client) {}
}
