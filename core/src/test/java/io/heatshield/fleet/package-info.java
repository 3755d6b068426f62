/** Tests of what many processes count together. */
@NullMarked
package io.heatshield.fleet;

import org.jspecify.annotations.NullMarked;
