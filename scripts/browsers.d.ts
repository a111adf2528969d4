/** Launch options that start Chromium here, or null when there is none. */
export declare function chromiumLaunch(): {
    executablePath: string;
    args: string[];
} | null;
/** Launch options that start the system's Firefox, or null when there is none. */
export declare function firefoxLaunch(): {
    executablePath: string;
    channel: 'moz-firefox';
} | null;
/** What it takes to drive WebKit through WebDriver: paths of WebKitGTK's own driver and browser, and of a display for them. */
export interface WebKitPrograms {
    driver: string;
    browser: string;
    xvfb: string;
}
/** Null when one of them is missing. */
export declare function webkitPrograms(): WebKitPrograms | null;
/** Tries once, for a few minutes at most, to install Chromium: Debian's as root, else the one that Playwright downloads. */
export declare function installChromium(): void;
