// Generated from deploy/access by make generate; change it there.
const users = {
  "edge": {writes: false, password: process.env.MONGO_EDGE_PASSWORD, actions: {"api-key":["find"],"assembly":["find"],"audit-entry":["find"],"board":["find"],"buy-link":["find"],"central-order":["find"],"checkout":["find"],"confirmation":["find"],"customer":["find"],"design-check":["find"],"membership":["find"],"operation":["find"],"order":["find"],"part-check":["find"],"price-table":["find"],"quote":["find"],"quote-request":["find"],"savings":["find"],"upload":["find"],"webhook-endpoint":["find"]}},
  "upload": {writes: false, password: process.env.MONGO_UPLOAD_PASSWORD, actions: {}},
  "design-check": {writes: false, password: process.env.MONGO_DESIGN_CHECK_PASSWORD, actions: {}},
  "central": {writes: false, password: process.env.MONGO_CENTRAL_PASSWORD, actions: {}},
  "part-sourcing": {writes: false, password: process.env.MONGO_PART_SOURCING_PASSWORD, actions: {}},
  "pricing": {writes: false, password: process.env.MONGO_PRICING_PASSWORD, actions: {}},
  "payment": {writes: false, password: process.env.MONGO_PAYMENT_PASSWORD, actions: {"checkout":["find"],"order":["find"],"quote":["find"]}},
  "notify": {writes: false, password: process.env.MONGO_NOTIFY_PASSWORD, actions: {}},
  "feed": {writes: false, password: process.env.MONGO_FEED_PASSWORD, actions: {}},
  "webhooks": {writes: false, password: process.env.MONGO_WEBHOOKS_PASSWORD, actions: {}},
  "projector": {writes: true, password: process.env.MONGO_PROJECTOR_PASSWORD, actions: {"account":["find","insert","update","remove","createIndex","listIndexes"],"api-key":["find","insert","update","remove","createIndex","listIndexes"],"assembly":["find","insert","update","remove","createIndex","listIndexes"],"audit":["find","insert","update","remove","createIndex","listIndexes"],"audit-entry":["find","insert","update","remove","createIndex","listIndexes"],"board":["find","insert","update","remove","createIndex","listIndexes"],"buy-link":["find","insert","update","remove","createIndex","listIndexes"],"case":["find","insert","update","remove","createIndex","listIndexes"],"central-order":["find","insert","update","remove","createIndex","listIndexes"],"checkout":["find","insert","update","remove","createIndex","listIndexes"],"confirmation":["find","insert","update","remove","createIndex","listIndexes"],"customer":["find","insert","update","remove","createIndex","listIndexes"],"design-check":["find","insert","update","remove","createIndex","listIndexes"],"erasure":["find","insert","update","remove","createIndex","listIndexes"],"invoice-book":["find","insert","update","remove","createIndex","listIndexes"],"membership":["find","insert","update","remove","createIndex","listIndexes"],"operation":["find","insert","update","remove","createIndex","listIndexes"],"order":["find","insert","update","remove","createIndex","listIndexes"],"part-check":["find","insert","update","remove","createIndex","listIndexes"],"price-table":["find","insert","update","remove","createIndex","listIndexes"],"quote":["find","insert","update","remove","createIndex","listIndexes"],"quote-request":["find","insert","update","remove","createIndex","listIndexes"],"savings":["find","insert","update","remove","createIndex","listIndexes"],"upload":["find","insert","update","remove","createIndex","listIndexes"],"webhook-endpoint":["find","insert","update","remove","createIndex","listIndexes"]}},
  "console": {writes: false, password: process.env.MONGO_CONSOLE_PASSWORD, actions: {"account":["find"],"api-key":["find"],"assembly":["find"],"audit":["find"],"audit-entry":["find"],"board":["find"],"buy-link":["find"],"case":["find"],"central-order":["find"],"checkout":["find"],"confirmation":["find"],"customer":["find"],"design-check":["find"],"erasure":["find"],"invoice-book":["find"],"membership":["find"],"operation":["find"],"order":["find"],"part-check":["find"],"price-table":["find"],"quote":["find"],"quote-request":["find"],"savings":["find"],"upload":["find"],"webhook-endpoint":["find"]}},
};
const database = "boardorder";
const projection = db.getSiblingDB(database);
// Collections are g<generation>.<kind>: from the oldest that is in use to those of the next rebuilds.
const state = projection.getCollection("generations").findOne() ?? {};
const inUse = [state.live, state.building, state.retiring].map((n) => Number(String(n ?? 0))).filter((n) => n > 0);
const first = Math.min(...inUse, Number(String(state.next ?? 2)));
const end = Number(String(state.next ?? 2)) + 50;
for (const [name, {writes, password, actions}] of Object.entries(users)) {
  if (!password) {
    throw new Error('no password is given for ' + name);
  }
  const privileges = [{resource: {db: database, collection: "generations"}, actions: writes ? ['find', 'insert', 'update', 'remove'] : ['find']}];
  for (let generation = state.live ? first : 1; generation < end; generation++) {
    for (const [kind, may] of Object.entries(actions)) {
      privileges.push({resource: {db: database, collection: 'g' + generation + '.' + kind}, actions: may});
    }
  }
  if (writes) { // and drops what generations before left
    privileges.push({resource: {db: database, collection: ''}, actions: ['listCollections', 'dropCollection']});
  }
  const role = {privileges: privileges, roles: []};
  if (projection.getRole(name)) {
    projection.updateRole(name, role);
  } else {
    projection.createRole({role: name, ...role});
  }
  const user = {pwd: password, roles: [{role: name, db: database}]};
  if (projection.getUser(name)) {
    projection.updateUser(name, user);
  } else {
    projection.createUser({user: name, ...user});
  }
}
