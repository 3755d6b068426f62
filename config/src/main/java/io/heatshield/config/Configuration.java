package io.heatshield.config;

import io.heatshield.config.bind.Leaf;
import io.heatshield.config.bind.SettingsTree;
import io.heatshield.config.settings.Settings;
import io.heatshield.config.yaml.Node;
import io.heatshield.config.yaml.Origin;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Valid settings with the origin of each.
 *
 * <p>Immutable; any thread may use it.
 */
public final class Configuration {
  private final Settings settings;
  private final Node.Mapping root;
  private final Map<String, Leaf> leaves;
  private final ConfigLoader loader;

  Configuration(
      Settings settings, Node.Mapping root, Map<String, Leaf> leaves, ConfigLoader loader) {
    this.settings = settings;
    this.root = root;
    this.leaves = Collections.unmodifiableMap(leaves);
    this.loader = loader;
  }

  /** Returns the settings. */
  public Settings settings() {
    return settings;
  }

  /** Returns the effective settings, secrets masked. */
  public List<EffectiveSetting> effective() {
    return leaves.values().stream()
        .map(leaf -> new EffectiveSetting(leaf.path(), leaf.shown(), leaf.origin()))
        .toList();
  }

  /** Returns the settings that may be changed while the server runs, lists left out. */
  public List<LiveSetting> live() {
    return leaves.values().stream()
        .filter(leaf -> leaf.field().setting().live() && !leaf.field().list())
        .map(LiveSetting::of)
        .toList();
  }

  /**
   * Returns the settings as nested maps and lists of text, numbers, booleans and null, secrets
   * masked, as a JSON writer takes them.
   */
  public Map<String, @Nullable Object> tree() {
    return SettingsTree.of(settings);
  }

  /**
   * Returns the changes from an older configuration, in the order of the settings. A section or an
   * item that was added or removed is one change.
   */
  public List<Change> changesFrom(Configuration older) {
    return Changes.between(older.leaves, leaves);
  }

  /**
   * Returns this configuration with other defaults for this machine, which have the origin {@link
   * Origin#FITTED}.
   *
   * @param defaults values as they are written in the file, by path; settings without a default
   *     here are not changed
   */
  public LoadResult withDefaults(Map<String, String> defaults) {
    return loader.withDefaults(root, defaults);
  }

  /** Returns whether a setting has its default. */
  public boolean isDefault(String path) {
    Leaf leaf = leaves.get(path);
    return leaf != null && leaf.origin().equals(Origin.DEFAULT);
  }

  /**
   * Returns this configuration with some settings changed, or all faults of the change.
   *
   * @param patch values as they are written in the file, by path, for example {@code 30s} by {@code
   *     detect.window}; only live settings may be patched
   */
  public LoadResult with(Map<String, String> patch) {
    return loader.patched(root, patch);
  }
}
