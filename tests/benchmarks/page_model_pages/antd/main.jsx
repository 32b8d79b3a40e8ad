import {
  AutoComplete,
  Badge,
  Breadcrumb,
  Button,
  Card,
  Checkbox,
  Col,
  DatePicker,
  Form,
  Input,
  InputNumber,
  Layout,
  List,
  Menu,
  Progress,
  Radio,
  Rate,
  Row,
  Segmented,
  Select,
  Slider,
  Space,
  Statistic,
  Switch,
  Table,
  Tabs,
  Tag,
  Typography,
} from "antd";
import dayjs from "dayjs";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const TICKETS = [
  ["T-201", "Printer is jammed", "Office", "open"],
  ["T-202", "No mail on the phone", "Network", "waiting"],
  ["T-203", "New badge", "Access", "closed"],
  ["T-204", "Slow laptop", "Hardware", "open"],
  ["T-205", "VPN drops", "Network", "open"],
  ["T-206", "Beamer in room 4", "Office", "closed"],
  ["T-207", "Lost password", "Access", "waiting"],
].map(([key, title, area, state]) => ({ key, title, area, state }));
const COLUMNS = [
  { title: "Number", dataIndex: "key", sorter: (left, right) => left.key.localeCompare(right.key) },
  { title: "Title", dataIndex: "title" },
  { title: "Area", dataIndex: "area" },
  {
    title: "State",
    dataIndex: "state",
    render: (state) => <Tag color={{ open: "red", waiting: "gold", closed: "green" }[state]}>{state}</Tag>,
  },
  {
    title: "Action",
    render: () => (
      <Space>
        <a href="#open">Open</a>
        <Button size="small">Close</Button>
      </Space>
    ),
  },
];

function NewTicket() {
  return (
    <Form
      layout="vertical"
      initialValues={{ area: "network", urgency: 3, due: dayjs("2026-06-15"), seats: 1, mail: true, channel: "web" }}
    >
      <Form.Item label="Title" name="title" rules={[{ required: true }]}>
        <Input placeholder="In a few words" />
      </Form.Item>
      <Form.Item label="Area" name="area">
        <Select
          options={["network", "hardware", "access"].map((value) => ({ value, label: value[0].toUpperCase() + value.slice(1) }))}
        />
      </Form.Item>
      <Form.Item label="Asked by" name="person">
        <AutoComplete options={[{ value: "Ada" }, { value: "Grace" }]} placeholder="Name" />
      </Form.Item>
      <Form.Item label="Due" name="due">
        <DatePicker />
      </Form.Item>
      <Form.Item label="Seats" name="seats">
        <InputNumber min={1} max={50} />
      </Form.Item>
      <Form.Item label="Urgency" name="urgency">
        <Slider min={1} max={5} />
      </Form.Item>
      <Form.Item label="Came by" name="channel">
        <Radio.Group
          options={[
            { label: "Web", value: "web" },
            { label: "Phone", value: "phone" },
          ]}
        />
      </Form.Item>
      <Form.Item label="Details" name="details">
        <Input.TextArea rows={2} />
      </Form.Item>
      <Form.Item name="mail" valuePropName="checked">
        <Checkbox>Tell me by mail</Checkbox>
      </Form.Item>
      <Button type="primary" htmlType="submit" block>
        Open ticket
      </Button>
    </Form>
  );
}

function Page() {
  const [state, setState] = useState("All");
  const [live, setLive] = useState(false);
  return (
    <Layout style={{ minHeight: "100vh" }}>
      <Layout.Sider>
        <Typography.Title level={4} style={{ color: "white", padding: "12px 24px", margin: 0 }}>
          Helpdesk
        </Typography.Title>
        <Menu
          theme="dark"
          mode="inline"
          defaultSelectedKeys={["tickets"]}
          items={["Tickets", "People", "Devices", "Reports"].map((label) => ({ key: label.toLowerCase(), label }))}
        />
      </Layout.Sider>
      <Layout.Content style={{ padding: 24 }}>
        <Breadcrumb items={[{ title: <a href="#home">Home</a> }, { title: "Tickets" }]} />
        <Row gutter={16} style={{ margin: "16px 0" }}>
          <Col span={6}>
            <Card>
              <Statistic title="Open tickets" value={TICKETS.filter((ticket) => ticket.state === "open").length} />
            </Card>
          </Col>
          <Col span={6}>
            <Card>
              <Statistic title="Mean time to answer" value={42} suffix="min" />
            </Card>
          </Col>
          <Col span={6}>
            <Card>
              <Statistic title="Budget left" prefix="€" precision={2} value={1840.5} />
            </Card>
          </Col>
          <Col span={6}>
            <Card>
              Within the promised time
              <Progress percent={86} />
            </Card>
          </Col>
        </Row>
        <Row gutter={24}>
          <Col span={15}>
            <Space style={{ marginBottom: 12 }} wrap>
              <Segmented options={["All", "Open", "Waiting", "Closed"]} value={state} onChange={setState} />
              <Input.Search placeholder="Search tickets" style={{ width: 200 }} />
              <Switch aria-label="Live" checked={live} onChange={setLive} /> Live
            </Space>
            <Table
              size="small"
              columns={COLUMNS}
              pagination={{ pageSize: 5 }}
              dataSource={TICKETS.filter((ticket) => state === "All" || ticket.state === state.toLowerCase())}
            />
            <Tabs
              items={[
                {
                  key: "news",
                  label: "News",
                  children: (
                    <List
                      bordered
                      dataSource={["Mail is down on Sunday", "New printer on floor 2"]}
                      renderItem={(text) => <List.Item>{text}</List.Item>}
                    />
                  ),
                },
                { key: "rate", label: "Rate us", children: <Rate defaultValue={4} /> },
                {
                  key: "help",
                  label: (
                    <Badge count={2} offset={[10, 0]}>
                      Questions
                    </Badge>
                  ),
                  children: "None yet",
                },
              ]}
            />
          </Col>
          <Col span={9}>
            <Card title="New ticket">
              <NewTicket />
            </Card>
          </Col>
        </Row>
      </Layout.Content>
    </Layout>
  );
}

createRoot(document.getElementById("root")).render(<Page />);
