/** Protective actions, their modes, and the calls that they saved. */
@NullMarked
package io.heatshield.action;

import org.jspecify.annotations.NullMarked;
