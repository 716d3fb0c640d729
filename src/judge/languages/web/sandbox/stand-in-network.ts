/** jsdom's class table needs them; the engine takes them off the window. */
export class implementation {
  constructor() {
    throw new Error('There is no network here.');
  }
  static cleanUpWindow(): void {}
}
