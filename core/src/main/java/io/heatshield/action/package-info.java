/** What Heatshield does about a hot key, in which mode, and what that saved. */
@NullMarked
package io.heatshield.action;

import org.jspecify.annotations.NullMarked;
