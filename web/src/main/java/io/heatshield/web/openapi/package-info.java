/** Generates the OpenAPI document of the HTTP API. */
@NullMarked
package io.heatshield.web.openapi;

import org.jspecify.annotations.NullMarked;
