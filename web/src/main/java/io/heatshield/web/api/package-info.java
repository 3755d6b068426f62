/** The HTTP API: what the server tells about itself, and what may be changed while it runs. */
@NullMarked
package io.heatshield.web.api;

import org.jspecify.annotations.NullMarked;
