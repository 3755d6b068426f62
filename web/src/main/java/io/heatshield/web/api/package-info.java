/** The HTTP API: state of the server, hot keys, savings, rate limits and live settings. */
@NullMarked
package io.heatshield.web.api;

import org.jspecify.annotations.NullMarked;
