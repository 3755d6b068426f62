/** The HTTP server: routing, limits, admin token, event streams, health and the status page. */
@NullMarked
package io.heatshield.web.http;

import org.jspecify.annotations.NullMarked;
