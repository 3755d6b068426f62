package io.heatshield.config;

import io.heatshield.config.bind.Leaf;
import io.heatshield.config.settings.Setting;

/**
 * A setting that may be changed while the server runs.
 *
 * @param path the path of the setting, for example {@code detect.window}
 * @param doc the meaning of the setting
 * @param type the type of its value
 * @param nullable whether it may be absent
 * @param min the least value as the file would hold it, or empty
 * @param max the greatest value, or empty
 */
public record LiveSetting(
    String path, String doc, Class<?> type, boolean nullable, String min, String max) {

  static LiveSetting of(Leaf leaf) {
    Setting setting = leaf.field().setting();
    return new LiveSetting(
        leaf.path(),
        setting.doc(),
        leaf.field().type(),
        leaf.field().nullable(),
        setting.min(),
        setting.max());
  }
}
