package io.heatshield.config.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a setting: default, bounds, meaning.
 *
 * <p>Every component of a settings record has one. The binder, the guide page, the effective view,
 * the diff and the suggestions all use it, so a setting is described in one place. Its key in the
 * file is the component's name in snake case. Defaults and bounds are written as in the file;
 * bounds of a list limit its length.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /** Marks a setting that has no default and must be written. */
  String REQUIRED = "<required>";

  /** The default, as YAML. */
  String value() default REQUIRED;

  /** The meaning of the setting, in one sentence. */
  String doc();

  /** The lowest value allowed, or empty. */
  String min() default "";

  /** The highest value allowed, or empty. */
  String max() default "";

  /** The value that must be exceeded, or empty. */
  String above() default "";

  /** The value that must not be reached, or empty. */
  String below() default "";

  /**
   * Restricts the text to a name: a letter or digit, then letters, digits, dot, dash, underscore.
   */
  boolean name() default false;

  /** Marks a value that is masked in all output. */
  boolean secret() default false;

  /** Marks a setting that can change while the server runs; all others need a restart. */
  boolean live() default false;

  /**
   * The keys that a shared section has in this place; all if empty. The default of the section,
   * such as {@code {mode: enforce}}, replaces the defaults of its settings.
   */
  String[] only() default {};

  /** Other keys under which the setting is accepted. */
  String[] aliases() default {};

  /** The variable of the Envoy rate-limit service that sets exactly this, or empty. */
  String env() default "";
}
