import ElementPlus from "element-plus";
import "element-plus/dist/index.css";
import { createApp } from "vue/dist/vue.esm-bundler.js";

const ROOMS = [
  ["101", "Single", 1, 79, "free"],
  ["102", "Double", 2, 119, "taken"],
  ["103", "Double", 2, 125, "free"],
  ["201", "Suite", 4, 240, "cleaning"],
  ["202", "Single", 1, 82, "taken"],
  ["203", "Family", 5, 189, "free"],
  ["301", "Double", 2, 132, "free"],
  ["302", "Suite", 3, 260, "taken"],
].map(([number, kind, beds, price, state]) => ({ number, kind, beds, price, state }));

createApp({
  data: () => ({
    rooms: ROOMS,
    page: 1,
    state: "",
    query: "",
    tab: "book",
    chosen: ["breakfast"],
    booking: {
      guest: "",
      room: "103",
      arrival: "2026-07-10",
      nights: 3,
      price: [80, 200],
      late: true,
      pay: "card",
      notes: "",
      city: "",
    },
  }),
  computed: {
    found() {
      return this.rooms.filter((room) => (!this.state || room.state === this.state) && room.number.includes(this.query));
    },
    shown() {
      return this.found.slice(this.page * 4 - 4, this.page * 4);
    },
    free() {
      return this.rooms.filter((room) => room.state === "free").length;
    },
    due() {
      return this.rooms.find((room) => room.number === this.booking.room).price * this.booking.nights;
    },
  },
  methods: {
    cities(typed, answer) {
      answer(["Bergen", "Oslo", "Tromsø"].filter((name) => name.startsWith(typed)).map((value) => ({ value })));
    },
  },
  template: `
  <el-container>
    <el-header style="display:flex;align-items:center;gap:24px;background:#1f2d3d;color:white">
      <h1 style="font-size:20px;flex:1">Harbour Inn</h1>
      <el-link href="#help" style="color:white">Help</el-link>
      <el-badge :value="3"><el-button size="small">Messages</el-button></el-badge>
    </el-header>
    <el-main>
      <el-row :gutter="16" style="margin-bottom:16px">
        <el-col :span="8"><el-card><el-statistic title="Free rooms" :value="free" /></el-card></el-col>
        <el-col :span="8"><el-card><el-statistic title="Guests tonight" :value="7" /></el-card></el-col>
        <el-col :span="8">
          <el-card><el-statistic title="Takings today" prefix="€" :precision="2" :value="1264.5" /></el-card>
        </el-col>
      </el-row>
      <div style="display:flex;gap:12px;align-items:center;margin-bottom:8px">
        <el-radio-group v-model="state" aria-label="State">
          <el-radio-button value="">All</el-radio-button>
          <el-radio-button value="free">Free</el-radio-button>
          <el-radio-button value="taken">Taken</el-radio-button>
        </el-radio-group>
        <el-input v-model="query" placeholder="Room number" style="width:160px" clearable />
      </div>
      <el-table :data="shown" border>
        <el-table-column prop="number" label="Room" sortable />
        <el-table-column prop="kind" label="Kind" />
        <el-table-column prop="beds" label="Beds" />
        <el-table-column prop="price" label="Price" :formatter="(room) => '€' + room.price" />
        <el-table-column label="State"><template #default="{ row }"><el-tag>{{ row.state }}</el-tag></template></el-table-column>
        <el-table-column label=""><template #default="{ row }">
          <el-button size="small" @click="booking.room = row.number">Book</el-button>
        </template></el-table-column>
      </el-table>
      <el-pagination v-model:current-page="page" :page-size="4" layout="total, prev, pager, next" :total="found.length"
        style="margin:8px 0 24px" />
      <el-tabs v-model="tab" type="border-card">
        <el-tab-pane label="Book a room" name="book">
          <el-form label-width="150px" style="max-width:640px" @submit.prevent>
            <el-form-item label="Guest" required><el-input v-model="booking.guest" /></el-form-item>
            <el-form-item label="Room">
              <el-select v-model="booking.room">
                <el-option v-for="room in rooms" :value="room.number" :label="room.number + ' ' + room.kind" />
              </el-select>
            </el-form-item>
            <el-form-item label="Comes from"><el-autocomplete v-model="booking.city" :fetch-suggestions="cities" /></el-form-item>
            <el-form-item label="Arrival">
              <el-date-picker v-model="booking.arrival" type="date" value-format="YYYY-MM-DD" />
            </el-form-item>
            <el-form-item label="Nights"><el-input-number v-model="booking.nights" :min="1" /></el-form-item>
            <el-form-item label="Extras">
              <el-checkbox-group v-model="chosen">
                <el-checkbox value="breakfast" label="Breakfast" /><el-checkbox value="parking" label="Parking" />
              </el-checkbox-group>
            </el-form-item>
            <el-form-item label="Payment">
              <el-radio-group v-model="booking.pay">
                <el-radio value="card">Card</el-radio><el-radio value="cash">Cash</el-radio>
              </el-radio-group>
            </el-form-item>
            <el-form-item label="Late arrival"><el-switch v-model="booking.late" /></el-form-item>
            <el-form-item label="Notes">
              <el-input v-model="booking.notes" type="textarea" maxlength="200" show-word-limit />
            </el-form-item>
            <el-form-item>
              <span style="margin-right:24px">Amount due: €{{ due }}</span><el-button type="primary">Book now</el-button>
            </el-form-item>
          </el-form>
        </el-tab-pane>
        <el-tab-pane label="Prices" name="prices"><el-slider v-model="booking.price" range :max="300" /></el-tab-pane>
        <el-tab-pane label="Old bookings" name="old"><el-empty description="None" /></el-tab-pane>
      </el-tabs>
      <el-collapse style="margin-top:16px"><el-collapse-item title="House rules">No smoking.</el-collapse-item></el-collapse>
    </el-main>
  </el-container>`,
})
  .use(ElementPlus)
  .mount("#root");
