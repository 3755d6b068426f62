package io.heatshield.web.page;

import java.util.Set;

/**
 * A part of the page as a screen reader sees it.
 *
 * @param role what it is, for example {@code button}
 * @param name what it is called; empty if it has no name
 */
record AccessibleNode(String role, String name) {
  private static final Set<String> USED =
      Set.of("button", "textbox", "searchbox", "combobox", "checkbox", "link", "spinbutton");

  /** Returns whether a person can do something with it. */
  boolean canBeUsed() {
    return USED.contains(role);
  }

  boolean is(String wantedRole, String wantedName) {
    return role.equals(wantedRole) && name.equals(wantedName);
  }
}
