package io.heatshield.config;

import io.heatshield.config.bind.Binder;
import io.heatshield.config.bind.LivePatch;
import io.heatshield.config.bind.Overlay;
import io.heatshield.config.env.EnvironmentOverrides;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.Expansion;
import io.heatshield.config.yaml.Fault;
import io.heatshield.config.yaml.Faults;
import io.heatshield.config.yaml.Node;
import io.heatshield.config.yaml.Origin;
import io.heatshield.config.yaml.Source;
import io.heatshield.config.yaml.YamlReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Loads a configuration from a file and the environment, completely or not at all.
 *
 * <p>The precedence of values, from lowest to highest: the default, the file, the variables of the
 * Envoy rate-limit service, an option of the command, a live change. Immutable; any thread may use
 * it.
 */
public final class ConfigLoader {
  private final Map<String, String> environment;
  private final boolean checksFiles;
  private final Map<String, Option> options;
  private final Function<LoadResult.Valid, LoadResult> step;

  /**
   * Creates a loader with environment variables that does not check the files that settings name.
   */
  public ConfigLoader(Map<String, String> environment) {
    this(Map.copyOf(environment), false, Map.of(), valid -> valid);
  }

  private ConfigLoader(
      Map<String, String> environment,
      boolean checksFiles,
      Map<String, Option> options,
      Function<LoadResult.Valid, LoadResult> step) {
    this.environment = environment;
    this.checksFiles = checksFiles;
    this.options = options;
    this.step = step;
  }

  /** Returns a loader that also checks the files that settings name: tokens, certificates. */
  public ConfigLoader checkingFiles() {
    return new ConfigLoader(environment, true, options, step);
  }

  /**
   * Returns a loader in which an option of the command overrides file and environment.
   *
   * @param name the option as people type it, for example {@code --http}
   * @param setting the setting that it overrides, for example {@code server.http}
   * @param value its value, as it is written in the file
   */
  public ConfigLoader withOption(String name, String setting, String value) {
    var more = new LinkedHashMap<>(options);
    more.put(name, new Option(setting, value));
    return new ConfigLoader(environment, checksFiles, more, step);
  }

  /**
   * Returns a loader whose valid configurations pass another step, which may change or refuse them.
   */
  public ConfigLoader then(Function<LoadResult.Valid, LoadResult> next) {
    return new ConfigLoader(environment, checksFiles, options, next);
  }

  /** Loads a file and the environment; without a file, the environment alone. */
  public LoadResult load(@Nullable Path file) {
    return file == null
        ? finished(overridden(Node.Mapping.empty(Origin.DEFAULT), new Faults()))
        : load(Source.read(file));
  }

  /** Loads a text and the environment; faults refer to the text by a name. */
  public LoadResult load(String name, byte[] text) {
    return load(Source.of(Faults.shownKey(name), text));
  }

  /** Returns whether a file is a rate-limit file of Envoy and not a configuration. */
  public static boolean isRateLimitFile(Path file) {
    var faults = new Faults();
    Source source = Source.read(file);
    String text = source.text(faults);
    Node node =
        text == null ? null : YamlReader.read(text, Origin.file(source.name(), 0, 0), faults);
    return node instanceof Node.Mapping root && RateLimitFile.recognise(root) != null;
  }

  LoadResult load(Source source) {
    var faults = new Faults();
    Origin whole = Origin.file(source.name(), 0, 0);
    String text = source.text(faults);
    Node node = text == null ? null : YamlReader.read(text, whole, faults);
    if ((node == null || node.isNull()) && faults.isEmpty()) {
      node = Node.Mapping.empty(whole);
    }
    if (node != null && !(node instanceof Node.Mapping)) {
      faults.add(node.origin(), "", "must be a section of keys and values", null);
    }
    if (!(node instanceof Node.Mapping root)) {
      return new LoadResult.Invalid(faults.sorted(), List.of());
    }
    Fault rateLimits = RateLimitFile.recognise(root);
    return rateLimits == null
        ? finished(overridden(root, faults))
        : new LoadResult.Invalid(List.of(rateLimits), List.of());
  }

  private LoadResult finished(LoadResult result) {
    return result instanceof LoadResult.Valid valid ? step.apply(valid) : result;
  }

  LoadResult patched(Node.Mapping root, Map<String, String> patch) {
    var faults = new Faults();
    Node.Mapping patched = LivePatch.apply(root, patch, faults);
    return bound(patched, faults, new Faults());
  }

  LoadResult withDefaults(Node.Mapping root, Map<String, String> defaults) {
    Node.Mapping all = root;
    for (Map.Entry<String, String> setting : defaults.entrySet()) {
      var value = new Node.Scalar(Origin.FITTED, setting.getValue(), false);
      all = Overlay.put(all, setting.getKey(), value);
    }
    return bound(all, new Faults(), new Faults());
  }

  private LoadResult overridden(Node.Mapping root, Faults faults) {
    var warnings = new Faults();
    Node.Mapping all = new EnvironmentOverrides(environment, root, faults, warnings).apply();
    for (Map.Entry<String, Option> option : options.entrySet()) {
      var value = new Node.Scalar(Origin.option(option.getKey()), option.getValue().value(), false);
      all = Overlay.put(all, option.getValue().setting(), value);
    }
    return bound(all, faults, warnings);
  }

  private LoadResult bound(Node.Mapping root, Faults faults, Faults warnings) {
    var binder = new Binder(new Expansion(environment), faults);
    Settings settings = binder.bind(root);
    Rules.check(settings, binder);
    if (checksFiles) {
      FileChecks.check(settings, binder);
    }
    return faults.isEmpty()
        ? new LoadResult.Valid(
            new Configuration(settings, root, binder.leaves(), this), warnings.sorted())
        : new LoadResult.Invalid(faults.sorted(), warnings.sorted());
  }

  /** A setting and its value from an option of the command. */
  private record Option(String setting, String value) {}
}
