/** Blocking clients of RESP, HTTP/1.1 and HTTP/2 that send exactly the bytes a test gives them. */
@NullMarked
package io.heatshield.testkit.client;

import org.jspecify.annotations.NullMarked;
