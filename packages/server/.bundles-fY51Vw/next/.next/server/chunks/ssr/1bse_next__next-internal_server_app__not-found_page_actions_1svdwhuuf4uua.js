module.exports=[65137,a=>{"use strict";a.s([])}];

//# sourceMappingURL=1bse_next__next-internal_server_app__not-found_page_actions_1svdwhuuf4uua.js.map