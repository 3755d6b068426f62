package io.heatshield.web.page;

import java.util.Set;

/**
 * A part of the page as a screen reader sees it.
 *
 * @param role its role, for example {@code button}
 * @param name its name, or empty
 */
record AccessibleNode(String role, String name) {
  private static final Set<String> USED =
      Set.of("button", "textbox", "searchbox", "combobox", "checkbox", "link", "spinbutton");

  /** Returns whether it is interactive. */
  boolean canBeUsed() {
    return USED.contains(role);
  }

  boolean is(String wantedRole, String wantedName) {
    return role.equals(wantedRole) && name.equals(wantedName);
  }
}
