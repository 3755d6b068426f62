/** Protective actions, their modes, the calls that they saved, and the result of a limited call. */
@NullMarked
package io.heatshield.action;

import org.jspecify.annotations.NullMarked;
