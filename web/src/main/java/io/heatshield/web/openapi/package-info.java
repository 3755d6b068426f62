/** Describes the HTTP API as OpenAPI. */
@NullMarked
package io.heatshield.web.openapi;

import org.jspecify.annotations.NullMarked;
