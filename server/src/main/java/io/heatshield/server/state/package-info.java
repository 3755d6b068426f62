/** The folder of what must outlive the process. */
@NullMarked
package io.heatshield.server.state;

import org.jspecify.annotations.NullMarked;
