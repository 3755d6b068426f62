/** What every port of the server needs. */
@NullMarked
package io.heatshield.runtime;

import org.jspecify.annotations.NullMarked;
