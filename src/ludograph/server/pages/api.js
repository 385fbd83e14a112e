// @ts-check
/**
 * Requests to the server: JSON in, JSON out, and one error type with words for people.
 * @module
 */

export class RequestFailed extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown}} [options]
 * @returns {Promise<any>}
 */
export async function request(path, options = {}) {
  const { method = "GET", body } = options;
  let response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new RequestFailed("The server does not answer. Is it still running?", 0);
  }
  const text = await response.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    // An error of a proxy, for example, is not JSON.
  }
  if (!response.ok) {
    const message = data?.error?.message ?? data?.message ?? `The server answered ${response.status}.`;
    throw new RequestFailed(message, response.status);
  }
  return data;
}
