/** `XMLHttpRequest` and `WebSocket`: jsdom's class table needs them, and the engine then takes them off the window. */
export class implementation {
  constructor() {
    throw new Error('There is no network here.');
  }
  static cleanUpWindow(): void {}
}
