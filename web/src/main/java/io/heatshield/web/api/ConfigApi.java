package io.heatshield.web.api;

import io.heatshield.config.Configuration;
import io.heatshield.config.EffectiveSetting;
import io.heatshield.config.LivePatchText;
import io.heatshield.config.LoadResult;
import io.heatshield.config.yaml.Fault;
import io.heatshield.config.yaml.Origin;
import io.heatshield.runtime.Version;
import io.heatshield.web.http.Method;
import io.heatshield.web.http.Request;
import io.heatshield.web.http.Response;
import io.heatshield.web.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * {@code /api/v1/config}: every setting in effect, secrets masked, where it came from, and the
 * change of those that may change while the server runs.
 */
public final class ConfigApi {
  private final Supplier<Configuration> current;
  private final Supplier<Configuration> saved;
  private final Supplier<List<Door>> doors;
  private final Function<Map<String, String>, LoadResult> patch;
  private final long startNanos = System.nanoTime();

  /**
   * Creates the API of the configuration that is in effect whenever somebody asks.
   *
   * @param saved what would be in effect without live changes
   * @param doors tells which doors are open
   * @param patch changes live settings, given by path, all or none
   */
  public ConfigApi(
      Supplier<Configuration> current,
      Supplier<Configuration> saved,
      Supplier<List<Door>> doors,
      Function<Map<String, String>, LoadResult> patch) {
    this.current = current;
    this.saved = saved;
    this.doors = doors;
    this.patch = patch;
  }

  /** Returns the routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/v1/config",
                "Shows every setting in effect, secrets masked, and where it came from.",
                request -> Response.json(view()).now())
            .answering(200, "Every setting.", View.class),
        Route.of(
                Method.PATCH,
                "/api/v1/config",
                "Changes live settings: all that are given, or none.",
                this::change)
            .taking(PatchSchema.of(current.get().live()))
            .answering(200, "Every setting as it is now in effect.", View.class)
            .answering(400, "What is wrong with the change; nothing was changed.", Refusal.class));
  }

  private CompletionStage<Response> change(Request request) {
    LivePatchText read = LivePatchText.read(request.body());
    if (!read.faults().isEmpty()) {
      return refusal(read.faults()).now();
    }
    return patch.apply(read.values()) instanceof LoadResult.Invalid invalid
        ? refusal(invalid.faults()).now()
        : Response.json(view()).now();
  }

  private static Response refusal(List<Fault> faults) {
    return Response.json(
        400,
        new Refusal("nothing was changed", 400, faults.stream().map(Fault::toString).toList()));
  }

  private View view() {
    List<EffectiveSetting> now = current.get().effective();
    Set<String> live =
        now.stream()
            .filter(setting -> setting.origin().equals(Origin.LIVE))
            .map(EffectiveSetting::path)
            .collect(Collectors.toSet());
    return new View(
        Version.current(),
        Duration.ofNanos(System.nanoTime() - startNanos).toSeconds(),
        doors.get(),
        now.stream().map(Entry::of).toList(),
        saved.get().effective().stream()
            .filter(setting -> live.contains(setting.path()))
            .map(Entry::of)
            .toList());
  }

  /** What is shown; overridden are the settings that a live change wins over, as saved. */
  private record View(
      String version,
      long uptimeSeconds,
      List<Door> doors,
      List<Entry> settings,
      List<Entry> overridden) {}

  /**
   * A door that listens.
   *
   * @param name what is spoken there
   * @param address where
   */
  public record Door(String name, String address) {}

  /** Why nothing was changed; each fault names a path. */
  private record Refusal(String error, int status, List<String> faults) {}

  private record Entry(String path, String value, String origin) {
    static Entry of(EffectiveSetting setting) {
      return new Entry(setting.path(), setting.value(), setting.origin().toString());
    }
  }
}
