// Generated from deploy/access by make generate; change it there.
const users = {
  "edge": {role: "read", password: process.env.MONGO_EDGE_PASSWORD},
  "upload": {role: "read", password: process.env.MONGO_UPLOAD_PASSWORD},
  "design-check": {role: "read", password: process.env.MONGO_DESIGN_CHECK_PASSWORD},
  "central": {role: "read", password: process.env.MONGO_CENTRAL_PASSWORD},
  "part-sourcing": {role: "read", password: process.env.MONGO_PART_SOURCING_PASSWORD},
  "pricing": {role: "read", password: process.env.MONGO_PRICING_PASSWORD},
  "payment": {role: "read", password: process.env.MONGO_PAYMENT_PASSWORD},
  "notify": {role: "read", password: process.env.MONGO_NOTIFY_PASSWORD},
  "projector": {role: "readWrite", password: process.env.MONGO_PROJECTOR_PASSWORD},
  "console": {role: "read", password: process.env.MONGO_CONSOLE_PASSWORD},
};
const projection = db.getSiblingDB('boardorder');
for (const [name, {role, password}] of Object.entries(users)) {
  if (!password) {
    throw new Error('no password is given for ' + name);
  }
  const user = {pwd: password, roles: [{role: role, db: 'boardorder'}]};
  if (projection.getUser(name)) {
    projection.updateUser(name, user);
  } else {
    projection.createUser({user: name, ...user});
  }
}
