/** The folder of what must outlive the process. */
@NullMarked
package io.heatshield.runtime.state;

import org.jspecify.annotations.NullMarked;
