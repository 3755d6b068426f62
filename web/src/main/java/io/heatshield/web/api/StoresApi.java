package io.heatshield.web.api;

import io.heatshield.action.Mode;
import io.heatshield.config.settings.StoreSettings;
import io.heatshield.config.settings.Writers;
import io.heatshield.data.store.ServerStores;
import io.heatshield.filter.FilterStats;
import io.heatshield.key.KeyText;
import io.heatshield.store.GuardedStore;
import io.heatshield.store.engine.EngineFaults;
import io.heatshield.store.stats.FilterReport;
import io.heatshield.store.stats.StoreStats;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import io.heatshield.web.openapi.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** {@code /api/v1/stores}: the protection of each store, its counts and its filter. */
public final class StoresApi {
  private static final String STORE = "The name of the store.";

  private final ServerStores stores;

  /** Creates the API of these stores. */
  public StoresApi(ServerStores stores) {
    this.stores = stores;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/stores",
                "Lists the stores with their protection and its counts.",
                request ->
                    Response.json(
                        new StoresView(
                            stores.all().entrySet().stream()
                                .map(store -> view(store.getKey(), store.getValue()))
                                .toList())))
            .answering(200, "All stores.", StoresView.class),
        Route.async(
                Method.GET,
                "/api/v1/stores/{store}/filter",
                "Returns the state of a store's filter.",
                request -> found(request, store -> filter(store).completed()))
            .withPath("store", STORE, Schema.text().withExample("main"))
            .answering(
                200,
                "Size, memory, false positive rate, and whether it is trusted.",
                FilterView.class)
            .answering(404, "No such store, or it has no filter."),
        Route.async(
                Method.GET,
                "/api/v1/stores/{store}/filter/check/{key}",
                "Compares the answers of filter and engine about a key.",
                request -> found(request, store -> check(store, request.parameter("key"))))
            .withPath("store", STORE, Schema.text().withExample("main"))
            .withPath(
                "key", "The key, percent-encoded; any bytes.", Schema.text().withExample("user:1"))
            .answering(200, "Both answers.", CheckView.class)
            .answering(404, "No such store."));
  }

  private CompletionStage<Response> found(
      Request request, Function<GuardedStore, CompletionStage<Response>> answer) {
    String name = request.parameterText("store");
    return stores
        .find(name)
        .map(answer)
        .orElseGet(() -> Response.problem(404, "no such store: " + KeyText.of(name)).completed());
  }

  private StoreView view(String name, GuardedStore store) {
    Optional<StoreSettings> settings = stores.settings(name);
    EngineFaults faults = store.faults();
    StoreStats stats = store.stats();
    return new StoreView(
        name,
        settings.map(StoreSettings::engine),
        settings.map(StoreSettings::writers),
        faults.isWritable(),
        faults.write(),
        faults.damage(),
        stats.fields(),
        stats.lines());
  }

  private static Response filter(GuardedStore store) {
    return store
        .filter()
        .map(report -> Response.json(view(report, store.stats())))
        .orElseGet(() -> Response.problem(404, "the store has no filter"));
  }

  private static FilterView view(FilterReport report, StoreStats stats) {
    FilterStats filter = report.stats();
    return new FilterView(
        report.mode(),
        report.complete(),
        report.rebuilding(),
        report.scanned(),
        report.expected(),
        report.lastRebuild().toLowerCase(Locale.ROOT),
        filter.size(),
        filter.capacity(),
        filter.load(),
        filter.bytes(),
        filter.maxBytes(),
        filter.fingerprintBits(),
        filter.subFilters(),
        filter.expectedFalsePositiveRate(),
        filter.targetFalsePositiveRate(),
        stats.falsePositives(),
        stats.disagreements());
  }

  private static CompletionStage<Response> check(GuardedStore store, byte[] key) {
    return store
        .check(key)
        .thenApply(
            check ->
                Response.json(
                    new CheckView(
                        KeyText.of(key),
                        check.filterSaysPresent(),
                        check.trusted(),
                        check.actuallyExists(),
                        check.falsePositive())));
  }

  private record StoresView(List<StoreView> stores) {}

  /** The stats have the names of the command HOTKEYS STATS, as in read.cache_hits. */
  private record StoreView(
      String name,
      Optional<StoreSettings.Engine> engine,
      Optional<Writers> writers,
      boolean writable,
      String writeFault,
      String damage,
      Map<String, Object> stats,
      List<String> lines) {}

  private record FilterView(
      Mode mode,
      boolean trusted,
      boolean rebuilding,
      long rebuildScanned,
      long rebuildExpected,
      String lastRebuild,
      long size,
      long capacity,
      double load,
      long bytes,
      long budgetBytes,
      int fingerprintBits,
      int subFilters,
      double expectedFalsePositiveRate,
      double targetFalsePositiveRate,
      long falsePositives,
      long disagreements) {}

  private record CheckView(
      String key,
      boolean filterSays,
      boolean trusted,
      boolean actuallyExists,
      boolean falsePositive) {}
}
