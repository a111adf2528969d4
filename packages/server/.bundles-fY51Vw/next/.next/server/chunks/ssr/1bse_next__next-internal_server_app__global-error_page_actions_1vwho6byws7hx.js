module.exports=[3173,a=>{"use strict";a.s([])}];

//# sourceMappingURL=1bse_next__next-internal_server_app__global-error_page_actions_1vwho6byws7hx.js.map