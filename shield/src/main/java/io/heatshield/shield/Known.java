package io.heatshield.shield;

import io.heatshield.data.command.Command;
import io.heatshield.resp.RequestScanner;
import java.util.List;
import java.util.Map;

/**
 * A command that the upstream has told of.
 *
 * @param command its name, as contexts of hot keys put it down
 * @param keys where its keys are
 * @param effect what else it does
 * @param placing where in a cluster it goes
 * @param write whether it may change something
 * @param blocking whether it may wait for others before it answers
 * @param children its subcommands, by their second word in small letters
 */
record Known(
    Command command,
    List<KeySpec> keys,
    Effect effect,
    Placing placing,
    boolean write,
    boolean blocking,
    Map<String, Known> children) {

  void places(RequestScanner words, Places found) {
    found.clear();
    for (int i = 0; i < keys.size(); i++) {
      keys.get(i).find(words, found);
    }
  }
}
