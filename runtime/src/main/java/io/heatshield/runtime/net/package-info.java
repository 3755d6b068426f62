/**
 * What all doors share: the event loops they run on and the error of an address they cannot have.
 */
@NullMarked
package io.heatshield.runtime.net;

import org.jspecify.annotations.NullMarked;
